import type { Row } from "../data/schema.ts";
import type { Client, Tenant } from "../tenancy/tenant.ts";
import { isMailAddress, isPhoneNumber } from "./address.ts";
import { deliver, notDelivered, type Delivery } from "./deliver.ts";
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
  const { mail: sender } = tenant.environment;
  const about = deliveryOf("email", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isMailAddress(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const { writeMail } = await import("./write.ts");
  const mail = await writeMail(tenant, message, recipient);
  if (recipient.pretend !== true) deliver(tenant, about, () => sender.send(mail));
}

/** The same for a text message. */
export async function sendSms(tenant: Tenant, message: SmsMessage, recipient: Recipient): Promise<void> {
  const { sms: sender } = tenant.environment;
  const about = deliveryOf("sms", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isPhoneNumber(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const { writeSms } = await import("./write.ts");
  const sms = await writeSms(tenant, message, recipient);
  if (recipient.pretend !== true) deliver(tenant, about, () => sender.send(sms));
}

function deliveryOf(channel: Delivery["channel"], { template, code, link }: MailMessage | SmsMessage, recipient: Recipient): Delivery {
  const { to, user, client, organization } = recipient;
  return { channel, template, user, client, organization, secrets: [link, code, to, to.toLowerCase()] };
}
