import type { MailProvider } from "../adapters/mail.ts";
import type { Row } from "../store/schema.ts";
import type { ProviderOfMail } from "../tenants/tenant-mail.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import { isMailAddress, isPhoneNumber } from "./address.ts";
import { deliver, notDelivered, templateFailed, type Delivery } from "./deliver.ts";
import type { MailMessage, SmsMessage } from "./message.ts";
import { isUnwanted, customMail, customText, auth0Template } from "./custom-template.ts";
import { writeMail, writeSms } from "./write.ts";

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
export function canMail(tenant: Tenant): boolean {
  return tenant.host.mail !== undefined;
}

/** Whether the host sends text messages at all. */
export function canText(tenant: Tenant): boolean {
  return tenant.host.sms !== undefined;
}

/**
 * Writes a mail, and begins to deliver it when the answer is on its way. Nobody waits for the delivery: a sender that hangs, fails or is not there delays and
 * breaks nothing, and is an audit event (`fn`).
 * @throws what the data store throws.
 */
export async function sendMail(tenant: Tenant, message: MailMessage, recipient: Recipient): Promise<void> {
  const { mail: sender, provider: readProvider, template: readTemplate } = tenant.mail();
  const about = deliveryOf("email", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isMailAddress(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const [provider, template] = await Promise.all([readProvider(), readTemplate(auth0Template(message.template))]);
  if (provider?.record.enabled === false) return notDelivered(tenant, about, "provider-off");
  if (template !== undefined && isUnwanted(template.template)) return undefined;
  const own = customMail(tenant.id, message.template, template, recipient.connection, provider?.tenantId);
  const { written: mail, fault } = await writeMail(tenant, message, recipient, { own, from: provider?.record.default_from_address });
  if (fault !== undefined) templateFailed(tenant, about, fault);
  if (recipient.pretend !== true)
    deliver(tenant, about, async () => sender.send({ ...mail, ...(await handedOver(provider, about.secrets)) }));
}

/** The same for a text message. */
export async function sendSms(tenant: Tenant, message: SmsMessage, recipient: Recipient): Promise<void> {
  const { sms: sender } = tenant.mail();
  const about = deliveryOf("sms", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isPhoneNumber(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const { written: sms, fault } = await writeSms(tenant, message, recipient, customText(message.template, recipient.connection));
  if (fault !== undefined) templateFailed(tenant, about, fault);
  if (recipient.pretend !== true) deliver(tenant, about, () => sender.send(sms));
}

/** The tenant's way to send, as the host's sender is handed it: with its credentials opened. */
async function handedOver(provider: ProviderOfMail | undefined, secrets: Set<string>): Promise<{ readonly provider?: MailProvider }> {
  if (provider === undefined) return {};
  const { name, account, settings } = provider.record;
  const opened = await provider.open();
  for (const secret of Object.values(opened)) secrets.add(String(secret));
  return { provider: { name, credentials: { ...account, ...opened }, settings } };
}

function deliveryOf(channel: Delivery["channel"], { template, code = "", link = "" }: MailMessage | SmsMessage, recipient: Recipient) {
  const { to, user, client, organization } = recipient;
  // The link first: the code may be a part of it.
  return { channel, template, user, client, organization, secrets: new Set([link, code, to, to.toLowerCase()]) };
}
