import type { Row } from "../data/schema.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import type { MailMessage, SmsMessage } from "./message.ts";

/** Who a message is for, and what it is about. */
export interface Recipient {
  /** The address, or the phone number. */
  readonly to: string;
  /** Whose address it is, for tenants' templates. */
  readonly user?: Row<"users"> | undefined;
  /** The application that it is about. */
  readonly client?: Client | undefined;
  /** The organization that it is about: it looks like the organization's. */
  readonly organization?: Row<"organizations"> | undefined;
  /** The connection that somebody signs in by, where the message is for that: its options may say what it says. */
  readonly connection?: Row<"connections"> | undefined;
  /** Language wishes of the request (OpenID Connect `ui_locales`): they come before the browser's, and those before the tenant's. */
  readonly uiLocales?: string | undefined;
  /** Everything is done but the delivery: nobody has this address, and nobody may learn that. */
  readonly pretend?: true;
}

/** Whether the host sends mail at all: what cannot do without is refused where it does not. */
export function canMail({ environment }: Tenant): boolean {
  return environment.mail !== undefined;
}

/** Whether the host sends text messages at all. */
export function canText({ environment }: Tenant): boolean {
  return environment.sms !== undefined;
}

/**
 * Writes a mail, and begins to deliver it when the answer is on its way. Nobody waits for the delivery: a sender that hangs, fails or is not there delays and
 * breaks nothing, and is an audit event (`fn`).
 * @throws what the data store throws.
 */
export async function sendMail(tenant: Tenant, message: MailMessage, recipient: Recipient): Promise<void> {
  const { beginMail } = await import("./begin.ts");
  return beginMail(tenant, message, recipient);
}

/** The same for a text message. */
export async function sendSms(tenant: Tenant, message: SmsMessage, recipient: Recipient): Promise<void> {
  const { beginSms } = await import("./begin.ts");
  return beginSms(tenant, message, recipient);
}
