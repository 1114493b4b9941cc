import type { CodeChannel } from "../identity/login/code-address.ts";
import { limitMessageDestination, limitMessageSender } from "../identity/attack-protection/rate-limit.ts";
import { alertThreshold } from "../process-state/message-limits.ts";
import { admitMessage, type PlannedMessage } from "../identity/one-time-codes/destination-budget.ts";
import { tooManyCodes } from "../identity/one-time-codes/one-time-code.ts";
import type { PosternError } from "../errors.ts";
import type { TenantContext } from "../context.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** A request to send a message. */
export interface MessageRequest {
  readonly channel: CodeChannel;
  /** The email address or phone number that the message is sent to. */
  readonly address: string;
  readonly client?: RegisteredClient | undefined;
  /** The primary user, if the request comes from a browser that has signed in to the user's account before. */
  readonly knownUserId?: string | undefined;
  /** Whether an authenticated caller of the Management API requests the message. Default false. */
  readonly isManagement?: boolean;
}

/**
 * Counts a message, before it is sent, against the limits per IP address and per prefix of the destination. Also alerts
 * the operator if a tenant requests unusually many messages; the alert blocks no message.
 * @returns the error to respond with if a limit is exceeded: `TOO_MANY_REQUESTS`.
 */
export async function limitMessages(tenant: TenantContext, request: MessageRequest): Promise<PosternError | undefined> {
  return (await limitMessageSender(tenant, request)) ?? limitDestination(tenant, request);
}

/** Applies the limits of {@link limitMessages} except the limit per IP address. */
async function limitDestination(tenant: TenantContext, request: MessageRequest): Promise<PosternError | undefined> {
  const id = tenant.data.tenantId;
  const refusal = request.knownUserId === undefined ? await limitMessageDestination(tenant, request) : undefined;
  if (refusal !== undefined) return refusal;
  if (tenant.processState.messageLimits.reachesAlert(id, tenant.now())) {
    tenant.host.logger.log({ level: "warn", event: "many_messages", tenant_id: id, messages: alertThreshold, seconds: 3600 });
    await tenant.audit({
      type: "w",
      description: `${alertThreshold} messages were requested within an hour`,
      details: { messages: alertThreshold },
    });
  }
  return undefined;
}

/**
 * Counts a message that contains no code against all limits: those of {@link limitMessages}, and the budget for
 * messages to its destination.
 * @returns the error to respond with if a limit is exceeded: `TOO_MANY_REQUESTS` with `Retry-After`.
 */
export async function limitMessageWithoutCode(
  tenant: TenantContext,
  request: MessageRequest,
  planned: PlannedMessage = {},
): Promise<PosternError | undefined> {
  return (await limitMessageSender(tenant, request)) ?? limitDestinationWithoutCode(tenant, request, planned);
}

/** Applies the limits of {@link limitMessageWithoutCode} except the limit per IP address. */
export async function limitDestinationWithoutCode(
  tenant: TenantContext,
  request: MessageRequest,
  planned: PlannedMessage = {},
): Promise<PosternError | undefined> {
  const refusal = await limitDestination(tenant, request);
  if (refusal !== undefined) return refusal;
  const admission = await admitMessage(tenant, request, planned);
  return admission.admitted ? undefined : tooManyCodes(admission.retryAfterSeconds);
}
