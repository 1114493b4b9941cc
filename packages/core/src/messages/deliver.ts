import { auditClient, auditOrganization, auditUser } from "../logs/audit.ts";
import { beginAfterAnswer, type HostServices, type ServiceContext } from "../context.ts";
import type { Row } from "../store/schema.ts";
import type { AuditEvent } from "../model/logs/audit-event.ts";
import { DeadlineError, withDeadline } from "../adapters/deadline.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";

/** The timeout of a sender, in milliseconds. */
const deadline = 10_000;

/** A message that is being sent, as far as logs may show it. */
export interface Delivery {
  readonly channel: "email" | "sms";
  readonly template: string;
  readonly user?: Row<"users"> | undefined;
  readonly client?: Client | undefined;
  readonly organization?: Row<"organizations"> | undefined;
  /** Texts that are removed from a sender's error, so that no code, link, address or password gets into a log. */
  readonly secrets: ReadonlySet<string>;
}

const reasons = {
  "no-sender": "the host sends none",
  "bad-address": "its address is none",
  "provider-off": "the tenant's e-mail provider is switched off",
  "no-answer": "its sender did not answer in time",
  failed: "its sender failed",
};

/** The reason why a message was not sent. */
export type Undelivered = keyof typeof reasons;

/**
 * Starts a delivery after the response. No request waits for its result, and an error does not affect anything else.
 */
export function deliver(tenant: Tenant, delivery: Delivery, send: () => Promise<void>): void {
  beginAfterAnswer(tenant.requestInfo, async () => {
    try {
      await withDeadline(async () => send(), deadline, "the sender", tenant.host.wait);
    } catch (error) {
      await record(tenant, delivery, error instanceof DeadlineError ? "no-answer" : "failed", error);
    }
  });
}

/** Writes an audit event about a message that is not sent. */
export function notDelivered(tenant: Tenant, delivery: Delivery, why: Undelivered): void {
  beginAfterAnswer(tenant.requestInfo, () => record(tenant, delivery, why));
}

/** Writes an audit event about a custom template that could not be rendered, so that the built-in one was used. */
export function templateFailed(tenant: Tenant, delivery: Delivery, fault: string): void {
  const description = `A template of the tenant's could not be used, and the built-in one was: ${withoutSecrets(fault, delivery)}`;
  beginAfterAnswer(tenant.requestInfo, () => tenant.audit({ type: "wn", description, ...aboutIt(delivery) }));
}

async function record(tenant: Tenant, delivery: Delivery, why: Undelivered, error?: unknown): Promise<void> {
  const { id } = tenant;
  const { channel, template } = delivery;
  if (why === "no-sender") tellOnce(tenant, channel);
  else {
    tenant.host.logger.log({
      level: "warn",
      event: channel === "email" ? "mail_failed" : "sms_failed",
      template,
      tenant_id: id,
      reason: why,
      ...(error !== undefined && { error: withoutSecrets(error, delivery) }),
    });
  }
  const description = `A ${channel === "email" ? "mail" : "text message"} was not sent: ${reasons[why]}.`;
  await tenant.audit({ type: "fn", description, ...aboutIt(delivery, { reason: why }) });
}

function aboutIt(
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

/** Removes secrets from a sender's error, which may repeat its input. */
function withoutSecrets(error: unknown, { secrets }: Delivery): string {
  let said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  for (const secret of secrets) if (secret !== "") said = said.replaceAll(secret, "[left out]");
  return said.slice(0, 500);
}

const told = { email: new WeakSet<HostServices>(), sms: new WeakSet<HostServices>() };

/** Logs once that the host has no sender for this channel. */
function tellOnce(context: ServiceContext, channel: Delivery["channel"]): void {
  if (told[channel].has(context.host)) return;
  told[channel].add(context.host);
  const [option, what] = channel === "email" ? ["messages.mail", "a mail"] : ["messages.sms", "a text message"];
  context.host.logger.log({
    level: "warn",
    event: "setup",
    option,
    given: "nothing",
    seen: `${what} to be sent`,
    expected: "an object with a method send(), which hands it to what sends it",
    page: "docs/mail-and-sms.md",
  });
}
