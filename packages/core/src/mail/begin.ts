import type { MailProvider } from "../adapters/mail.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import type { ProviderOfMail } from "../tenancy/tenant-mail.ts";
import { isMailAddress, isPhoneNumber } from "./address.ts";
import { deliver, notDelivered, templateFailed, type Delivery } from "./deliver.ts";
import type { MailMessage, SmsMessage } from "./message.ts";
import { isUnwanted, ownMail, ownText, vendorTemplate } from "./own-words.ts";
import type { Recipient } from "./send.ts";
import { writeMail, writeSms } from "./write.ts";

/** See `sendMail`. */
export async function beginMail(tenant: Tenant, message: MailMessage, recipient: Recipient): Promise<void> {
  const { mail: sender, provider: readProvider, template: readTemplate } = tenant.mail();
  const about = deliveryOf("email", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isMailAddress(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const [provider, template] = await Promise.all([readProvider(), readTemplate(vendorTemplate(message.template))]);
  if (provider?.record.enabled === false) return notDelivered(tenant, about, "provider-off");
  if (template !== undefined && isUnwanted(template.template)) return undefined;
  const own = ownMail(tenant.id, message.template, template, recipient.connection, provider?.tenantId);
  const { written: mail, fault } = await writeMail(tenant, message, recipient, { own, from: provider?.record.default_from_address });
  if (fault !== undefined) templateFailed(tenant, about, fault);
  if (recipient.pretend !== true)
    deliver(tenant, about, async () => sender.send({ ...mail, ...(await handedOver(provider, about.secrets)) }));
}

/** See `sendSms`. */
export async function beginSms(tenant: Tenant, message: SmsMessage, recipient: Recipient): Promise<void> {
  const { sms: sender } = tenant.mail();
  const about = deliveryOf("sms", message, recipient);
  if (sender === undefined) return recipient.pretend === true ? undefined : notDelivered(tenant, about, "no-sender");
  if (!isPhoneNumber(recipient.to)) return notDelivered(tenant, about, "bad-address");
  const { written: sms, fault } = await writeSms(tenant, message, recipient, ownText(message.template, recipient.connection));
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
