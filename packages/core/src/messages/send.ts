import type { MailProvider } from "../adapters/mail.ts";
import type { Row } from "../store/schema.ts";
import type { ProviderOfMail } from "../tenants/tenant-mail.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { isE164 } from "../model/phone-number.ts";
import { isMailAddress } from "./address.ts";
import { deliver, deliverNow, notDelivered, templateFailed, type Delivery } from "./deliver.ts";
import { spokenCode, type CallMessage, type MailMessage, type SmsMessage } from "./message.ts";
import { isUnwanted, customMail, customTemplateText, auth0Template } from "./custom-template.ts";
import { writeCall, writeMail, writeSms } from "./write.ts";

/** The recipient of a message, and the context of the message. */
export interface Recipient {
  /** The email address or phone number that the message is sent to. */
  readonly to: string;
  /** The user with this email address or phone number, for custom templates. */
  readonly user?: Row<"users"> | undefined;
  /** The application that the message is about. */
  readonly client?: RegisteredClient | undefined;
  /** The organization that the message is about. The message has its branding. */
  readonly organization?: Row<"organizations"> | undefined;
  /**
   * The connection that the user signs in with, if the message contains a code or link to sign in with. The
   * connection's options may contain a custom template.
   */
  readonly connection?: Row<"connections"> | undefined;
  /**
   * The preferred languages in the request (`ui_locales` in OpenID Connect). They take precedence over the browser's
   * languages, and the browser's over the tenant's default.
   */
  readonly uiLocales?: string | undefined;
  /**
   * Run every step except the delivery. Set if no account has this email address or phone number, and the response must
   * not reveal that.
   */
  readonly pretend?: true;
}

/** Whether the host can send mail. Operations that require mail are rejected if it cannot. */
export function canMail(tenant: RequestTenant): boolean {
  return tenant.host.mail !== undefined;
}

/** Whether the host can send text messages. */
export function canText(tenant: RequestTenant): boolean {
  return tenant.host.sms !== undefined;
}

/**
 * Writes a mail, and starts its delivery after the response. No request waits for the delivery. If the host's sender is
 * missing, fails or exceeds the timeout, writes an audit event (`fn`).
 * @throws the errors that the data store throws.
 */
export async function sendMail(tenant: RequestTenant, message: MailMessage, recipient: Recipient): Promise<void> {
  if (recipient.pretend === true && tenant.mail().mail === undefined) return;
  const mail = await writeForDelivery(tenant, message, recipient);
  if ("send" in mail && recipient.pretend !== true) deliver(tenant, mail.about, mail.send);
}

/**
 * Writes a mail, and waits until the host's sender accepted it.
 * @returns why the mail was not sent, without the text of the sender's error; undefined if the sender accepted it.
 * @throws the errors that the data store throws.
 */
export async function sendMailNow(tenant: RequestTenant, message: MailMessage, recipient: Recipient): Promise<string | undefined> {
  const mail = await writeForDelivery(tenant, message, recipient);
  return "send" in mail ? deliverNow(tenant, mail.about, mail.send) : mail.problem;
}

/** A mail that can be delivered, or why none is sent. */
type WrittenMail = { readonly about: Delivery; readonly send: () => Promise<void> } | { readonly problem: string };

async function writeForDelivery(tenant: RequestTenant, message: MailMessage, recipient: Recipient): Promise<WrittenMail> {
  const { mail: sender, provider: readProvider, template: readTemplate } = tenant.mail();
  const about = deliveryOf("email", message, recipient);
  if (sender === undefined) return { problem: notDelivered(tenant, about, "no-sender") };
  if (!isMailAddress(recipient.to)) return { problem: notDelivered(tenant, about, "bad-address") };
  const [provider, template] = await Promise.all([readProvider(), readTemplate(auth0Template(message.template))]);
  if (provider?.record.enabled === false) return { problem: notDelivered(tenant, about, "provider-off") };
  if (template !== undefined && isUnwanted(template.template)) return { problem: "The template of the mail is disabled." };
  const custom = customMail(tenant.id, message.template, template, recipient.connection, provider?.tenantId);
  const { written: mail, fault } = await writeMail(tenant, message, recipient, { custom, from: provider?.record.default_from_address });
  if (fault !== undefined) templateFailed(tenant, about, fault);
  return { about, send: async () => sender.send({ ...mail, ...(await providerFor(provider, about.secrets)) }) };
}

/** Writes a text message, and starts its delivery like {@link sendMail}. */
export async function sendSms(tenant: RequestTenant, message: SmsMessage, recipient: Recipient): Promise<void> {
  const { sms: sender } = tenant.mail();
  const about = deliveryOf("sms", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : void notDelivered(tenant, about, "no-sender");
  if (!isE164(recipient.to)) return void notDelivered(tenant, about, "bad-address");
  const { written: sms, fault } = await writeSms(tenant, message, recipient, customTemplateText(message.template, recipient.connection));
  if (fault !== undefined) templateFailed(tenant, about, fault);
  if (recipient.pretend !== true) deliver(tenant, about, () => sender.send(sms));
}

/** Writes the text of a voice call, and starts the call like {@link sendMail} starts a delivery. */
export async function sendCall(tenant: RequestTenant, message: CallMessage, recipient: Recipient): Promise<void> {
  const { sms: sender } = tenant.mail();
  const about = deliveryOf("voice", message, recipient);
  about.secrets.add(spokenCode(message.code));
  if (sender?.call === undefined) return void notDelivered(tenant, about, "no-sender");
  if (!isE164(recipient.to)) return void notDelivered(tenant, about, "bad-address");
  const call = await writeCall(tenant, message, recipient);
  deliver(tenant, about, async () => sender.call?.(call));
}

/**
 * Returns the tenant's email provider in the form that the host's sender receives, with decrypted credentials. Adds the
 * credentials to `secrets`.
 */
async function providerFor(provider: ProviderOfMail | undefined, secrets: Set<string>): Promise<{ readonly provider?: MailProvider }> {
  if (provider === undefined) return {};
  const { name, account, settings } = provider.record;
  const opened = await provider.open();
  for (const secret of Object.values(opened)) secrets.add(String(secret));
  return { provider: { name, credentials: { ...account, ...opened }, settings } };
}

function deliveryOf(
  channel: Delivery["channel"],
  { template, code = "", link = "" }: Pick<MailMessage, "template" | "code" | "link">,
  recipient: Recipient,
) {
  const { to, user, client, organization } = recipient;
  // The link comes first: it may contain the code, and must be replaced as a whole.
  return { channel, template, user, client, organization, secrets: new Set([link, code, to, to.toLowerCase()]) };
}
