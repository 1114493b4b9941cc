import { auditClient, auditOrganization, auditUser } from "../logs/audit.ts";
import { startAfterResponse, type HostServices, type ServiceContext } from "../context.ts";
import type { TelemetryAttributes } from "../adapters/telemetry.ts";
import type { Row } from "../store/schema.ts";
import type { AuditEvent } from "../model/logs/audit-event.ts";
import { DeadlineError, withDeadline } from "../adapters/deadline.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { senderFault } from "./sender-fault.ts";

/** The timeout for the host's sender in milliseconds. */
const deadline = 10_000;

/** The data about a message that logs may contain. */
export interface Delivery {
  readonly channel: "email" | "sms" | "voice";
  readonly template: string;
  readonly user?: Row<"users"> | undefined;
  readonly client?: RegisteredClient | undefined;
  readonly organization?: Row<"organizations"> | undefined;
  /**
   * Texts that are removed from a sender's error, so that no log contains a code, a link, an email address, a phone
   * number or a credential.
   */
  readonly secrets: ReadonlySet<string>;
}

const reasons = {
  "no-sender": "the host has no sender",
  "bad-address": "its address is invalid",
  "provider-off": "the tenant's email provider is disabled",
  "no-answer": "its sender did not respond in time",
  failed: "its sender failed",
};

/** The reason why a message was not sent, by its short name. */
type Undelivered = keyof typeof reasons;

/** How logs describe each channel. */
const channels = {
  email: { message: "mail", event: "mail_failed", option: "messages.mail", method: "send" },
  sms: { message: "text message", event: "sms_failed", option: "messages.sms", method: "send" },
  voice: { message: "code by voice call", event: "call_failed", option: "messages.sms", method: "call" },
} as const;

/**
 * Starts a delivery after the response. No request waits for its result. An error is logged, writes an audit event, and
 * affects nothing else.
 */
export function deliver(tenant: RequestTenant, delivery: Delivery, send: () => Promise<void>): void {
  startAfterResponse(tenant.requestInfo, async () => void (await deliverNow(tenant, delivery, send)));
}

/**
 * Delivers a message like {@link deliver}, and waits for the host's sender.
 * @returns why the message was not sent, without the text of the sender's error; undefined if the sender accepted it.
 */
export async function deliverNow(tenant: RequestTenant, delivery: Delivery, send: () => Promise<void>): Promise<string | undefined> {
  const { telemetry, wait } = tenant.host;
  const sendInTime = () => withDeadline(async () => send(), deadline, "the sender", wait);
  try {
    await (telemetry === undefined
      ? sendInTime()
      : telemetry.observe({ name: `send ${delivery.channel}`, attributes: labelsOf(delivery) }, sendInTime));
    telemetry?.metrics.count("messages", { ...labelsOf(delivery), "postern.message.result": "sent" });
    return undefined;
  } catch (error) {
    const reason = error instanceof DeadlineError ? "no-answer" : "failed";
    await record(tenant, delivery, reason, error);
    const fault = reason === "failed" ? senderFault(error) : undefined;
    return fault === undefined ? reasonText(delivery, reason) : `${reasonText(delivery, reason)} Reason: ${fault}`;
  }
}

/**
 * Logs that a message is not sent, and writes an audit event, after the response.
 * @returns the reason in words.
 */
export function notDelivered(tenant: RequestTenant, delivery: Delivery, reason: Undelivered): string {
  startAfterResponse(tenant.requestInfo, () => record(tenant, delivery, reason));
  return reasonText(delivery, reason);
}

/**
 * Writes an audit event, after the response, about a custom template that could not be rendered. The built-in message
 * was sent instead.
 */
export function templateFailed(tenant: RequestTenant, delivery: Delivery, fault: string): void {
  const description = `A custom template could not be used, so the built-in one was used: ${withoutSecrets(fault, delivery)}`;
  startAfterResponse(tenant.requestInfo, () => tenant.audit({ type: "wn", description, ...auditDetails(delivery) }));
}

/** The attributes of spans and metrics. The templates are those of the code, not the texts of a tenant. */
function labelsOf({ channel, template }: Delivery): TelemetryAttributes {
  return { "postern.message.channel": channel, "postern.message.template": template };
}

async function record(tenant: RequestTenant, delivery: Delivery, reason: Undelivered, error?: unknown): Promise<void> {
  const { id } = tenant;
  tenant.host.telemetry?.metrics.count("messages", { ...labelsOf(delivery), "postern.message.result": reason });
  const { channel, template } = delivery;
  if (reason === "no-sender") warnOnce(tenant, channel);
  else {
    tenant.host.logger.log({
      level: "warn",
      event: channels[channel].event,
      template,
      tenant_id: id,
      reason,
      ...(error !== undefined && { error: withoutSecrets(error, delivery) }),
    });
  }
  await tenant.audit({ type: "fn", description: reasonText(delivery, reason), ...auditDetails(delivery, { reason }) });
}

function reasonText({ channel }: Delivery, reason: Undelivered): string {
  return `A ${channels[channel].message} was not sent: ${reasons[reason]}.`;
}

function auditDetails(
  { channel, template, user, client, organization }: Delivery,
  more: { readonly reason?: Undelivered } = {},
): Omit<AuditEvent, "type"> {
  return {
    ...(user && auditUser(user)),
    ...auditClient(client),
    ...auditOrganization(organization),
    details: { channel, template, ...more },
  };
}

/** Removes secrets from the text of an error. The error of a sender may contain parts of the message. */
function withoutSecrets(error: unknown, { secrets }: Delivery): string {
  let text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, "[left out]");
  return text.slice(0, 500);
}

const warned = { email: new WeakSet<HostServices>(), sms: new WeakSet<HostServices>(), voice: new WeakSet<HostServices>() };

/** Logs once that the host has no sender for this channel. */
function warnOnce(context: ServiceContext, channel: Delivery["channel"]): void {
  if (warned[channel].has(context.host)) return;
  warned[channel].add(context.host);
  const { option, message, method } = channels[channel];
  context.host.logger.log({
    level: "warn",
    event: "setup",
    option,
    given: "nothing",
    seen: `a ${message} to be sent`,
    expected: `an object with a method ${method}() that delivers it`,
    page: "docs/mail-and-sms.md",
  });
}
