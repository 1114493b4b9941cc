import { DeadlineError, withDeadline } from "../domain/deadline.ts";
import type { Environment } from "../domain/environment.ts";
import type { Row } from "../data/schema.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";

/** Milliseconds that a sender may take. */
const deadline = 10_000;

/** A message on its way, as far as it may be told. */
export interface Delivery {
  readonly channel: "email" | "sms";
  readonly template: string;
  readonly user?: Row<"users"> | undefined;
  readonly client?: Client | undefined;
  readonly organization?: Row<"organizations"> | undefined;
  /** What neither the log nor the operator may read, in whatever the sender says. */
  readonly secrets: readonly (string | undefined)[];
}

const texts = {
  "no-sender": "the host sends none",
  "bad-address": "its address is none",
  "no-answer": "its sender did not answer in time",
  failed: "its sender failed",
};

/** Why a message did not go out. */
export type Undelivered = keyof typeof texts;

/** Begins a delivery when the answer is on its way. However it ends, nobody waits for it and nothing else fails. */
export function deliver(tenant: Tenant, delivery: Delivery, send: () => Promise<void>): void {
  afterAnswer(tenant, async () => {
    const who = delivery.channel === "email" ? "the sender of mail" : "the sender of text messages";
    try {
      await withDeadline(async () => send(), deadline, who, tenant.environment.wait);
    } catch (error) {
      await record(tenant, delivery, error instanceof DeadlineError ? "no-answer" : "failed", error);
    }
  });
}

/** Puts on record that a message does not go out. */
export function notDelivered(tenant: Tenant, delivery: Delivery, why: Undelivered): void {
  afterAnswer(tenant, () => record(tenant, delivery, why));
}

function afterAnswer({ requestInfo }: Tenant, work: () => Promise<void>): void {
  if (requestInfo.afterAnswer === undefined) void work();
  else requestInfo.afterAnswer(work);
}

async function record(
  tenant: Tenant,
  { channel, template, secrets, user, client, organization }: Delivery,
  why: Undelivered,
  error?: unknown,
) {
  const { environment, id } = tenant;
  if (why === "no-sender") tellOnce(environment, channel);
  else {
    environment.logger.log({
      level: "warn",
      event: channel === "email" ? "mail_failed" : "sms_failed",
      template,
      tenant_id: id,
      reason: why,
      ...(error !== undefined && { error: withoutSecrets(error, secrets) }),
    });
  }
  await tenant.audit({
    type: "fn",
    description: `A ${channel === "email" ? "mail" : "text message"} was not sent: ${texts[why]}.`,
    ...(user && { user: { user_id: user.user_id, name: user.name } }),
    ...(client && { client: { client_id: client.record.client_id, name: client.record.name } }),
    ...(organization && { organization: { id: organization.id, name: organization.name } }),
    details: { channel, template, reason: why },
  });
}

/** What a sender says may repeat what it was given. */
function withoutSecrets(error: unknown, secrets: readonly (string | undefined)[]): string {
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return secrets.reduce<string>((text, secret = "") => (secret === "" ? text : text.replaceAll(secret, "[left out]")), said).slice(0, 500);
}

const told = { email: new WeakSet<Environment>(), sms: new WeakSet<Environment>() };

/** Nobody sends messages in this installation: the operator is told of it once. */
function tellOnce(environment: Environment, channel: "email" | "sms"): void {
  if (told[channel].has(environment)) return;
  told[channel].add(environment);
  const [option, what] = channel === "email" ? ["messages.mail", "a mail"] : ["messages.sms", "a text message"];
  environment.logger.log({
    level: "warn",
    event: "setup",
    option,
    given: "nothing",
    seen: `${what} to be sent`,
    expected: "an object with a method send(), which hands it to what sends it",
    page: "docs/embedding.md#send-mail-and-sms",
  });
}
