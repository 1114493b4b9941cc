import type { MailProvider } from "../adapters/mail.ts";
import type { Row } from "../store/schema.ts";
import type { ProviderOfMail } from "../tenants/tenant-mail.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Client } from "../model/clients/client.ts";
import { isMailAddress, isPhoneNumber } from "./address.ts";
import { deliver, notDelivered, templateFailed, type Delivery } from "./deliver.ts";
import type { MailMessage, SmsMessage } from "./message.ts";
import { isUnwanted, customMail, customTemplateText, auth0Template } from "./custom-template.ts";
import { writeMail, writeSms } from "./write.ts";

/** The recipient of a message, and its context. */
export interface Recipient {
  /** The email address or phone number. */
  readonly to: string;
  /** The user with this address, for custom templates. */
  readonly user?: Row<"users"> | undefined;
  /** The application that the message is about. */
  readonly client?: Client | undefined;
  /** The organization that the message is about. The message has its branding. */
  readonly organization?: Row<"organizations"> | undefined;
  /**
   * The connection that the user signs in with, if the message is for that. Its options may contain a custom template.
   */
  readonly connection?: Row<"connections"> | undefined;
  /**
   * Preferred languages of the request (OpenID Connect `ui_locales`). They take precedence over the browser's, and
   * those over the tenant's.
   */
  readonly uiLocales?: string | undefined;
  /** Do everything except the delivery: no account has this address, and the response must not reveal that. */
  readonly pretend?: true;
}

/** Whether the host sends mail. Operations that depend on it are rejected if it does not. */
export function canMail(tenant: Tenant): boolean {
  return tenant.host.mail !== undefined;
}

/** Whether the host sends text messages. */
export function canText(tenant: Tenant): boolean {
  return tenant.host.sms !== undefined;
}

/**
 * Writes a mail, and starts its delivery after the response. No request waits for the delivery. If the sender is slow,
 * fails or is missing, an audit event (`fn`) says so.
 * @throws the errors of the data store.
 */
export async function sendMail(tenant: Tenant, message: MailMessage, recipient: Recipient): Promise<void> {
  const { mail: sender, provider: readProvider, template: readTemplate } = tenant.mail();
  const about = deliveryOf("email", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isMailAddress(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const [provider, template] = await Promise.all([readProvider(), readTemplate(auth0Template(message.template))]);
  if (provider?.record.enabled === false) return notDelivered(tenant, about, "provider-off");
  if (template !== undefined && isUnwanted(template.template)) return undefined;
  const custom = customMail(tenant.id, message.template, template, recipient.connection, provider?.tenantId);
  const { written: mail, fault } = await writeMail(tenant, message, recipient, { custom, from: provider?.record.default_from_address });
  if (fault !== undefined) templateFailed(tenant, about, fault);
  if (recipient.pretend !== true)
    deliver(tenant, about, async () => sender.send({ ...mail, ...(await providerFor(provider, about.secrets)) }));
}

/** Writes a text message, and starts its delivery like {@link sendMail}. */
export async function sendSms(tenant: Tenant, message: SmsMessage, recipient: Recipient): Promise<void> {
  const { sms: sender } = tenant.mail();
  const about = deliveryOf("sms", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isPhoneNumber(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const { written: sms, fault } = await writeSms(tenant, message, recipient, customTemplateText(message.template, recipient.connection));
  if (fault !== undefined) templateFailed(tenant, about, fault);
  if (recipient.pretend !== true) deliver(tenant, about, () => sender.send(sms));
}

/** Returns the tenant's mail provider for the host's sender, with decrypted credentials. */
async function providerFor(provider: ProviderOfMail | undefined, secrets: Set<string>): Promise<{ readonly provider?: MailProvider }> {
  if (provider === undefined) return {};
  const { name, account, settings } = provider.record;
  const opened = await provider.open();
  for (const secret of Object.values(opened)) secrets.add(String(secret));
  return { provider: { name, credentials: { ...account, ...opened }, settings } };
}

function deliveryOf(channel: Delivery["channel"], { template, code = "", link = "" }: MailMessage | SmsMessage, recipient: Recipient) {
  const { to, user, client, organization } = recipient;
  // The link comes first, because it may contain the code.
  return { channel, template, user, client, organization, secrets: new Set([link, code, to, to.toLowerCase()]) };
}
