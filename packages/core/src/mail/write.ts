import type { Mail } from "../adapters/mail.ts";
import type { Sms } from "../adapters/sms.ts";
import { chooseLocale } from "../locales/locale.ts";
import { speaks } from "../locales/mails/languages.ts";
import { mailTranslator, type MailTranslate } from "../locales/mails/translate.ts";
import { brandingFor } from "../look/branding.ts";
import { supportLink } from "../look/support.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { headerText } from "./address.ts";
import { drawMail } from "./layout.tsx";
import type { MailMessage, SmsMessage, Writing } from "./message.ts";
import { footerOf, plainText } from "./plain.ts";
import type { Recipient } from "./send.ts";

/** A mail in the person's language and the tenant's look. */
export async function writeMail(tenant: Tenant, message: MailMessage, recipient: Recipient): Promise<Mail> {
  const writing = await writingFor(tenant, recipient);
  const { say, sender, address } = writing;
  const content = message.write(writing);
  const footer = footerOf(say, address, sender, supportLink(tenant.settings));
  const branding = brandingFor(tenant.record.branding, recipient.organization);
  const { code, link } = message;
  return {
    tenantId: tenant.id,
    template: message.template,
    to: address,
    subject: headerText(content.subject),
    text: plainText(content, footer),
    html: drawMail({ say, content, footer, name: branding.name ?? tenant.record.friendly_name, branding }),
    ...(code !== undefined && { code }),
    ...(link !== undefined && { link }),
  };
}

/** A text message in the person's language. */
export async function writeSms(tenant: Tenant, message: SmsMessage, recipient: Recipient): Promise<Sms> {
  const text = message.writeText(await writingFor(tenant, recipient));
  const { template, code, link } = message;
  return {
    tenantId: tenant.id,
    template,
    to: recipient.to,
    text,
    ...(code !== undefined && { code }),
    ...(link !== undefined && { link }),
  };
}

async function writingFor(tenant: Tenant, { to, uiLocales, client, organization }: Recipient): Promise<Writing> {
  const { record, urls } = tenant;
  const sender = organization === undefined ? record.friendly_name : organizationLook(organization).name;
  return {
    say: await translatorFor(tenant, uiLocales),
    sender,
    app: client?.record.name ?? sender,
    address: to,
    host: new URL(urls.origin).hostname,
  };
}

function translatorFor({ requestInfo, settings }: Tenant, uiLocales: string | undefined): Promise<MailTranslate> {
  const lang = chooseLocale({
    ...(uiLocales !== undefined && { uiLocales }),
    acceptLanguage: requestInfo.acceptLanguage,
    enabled: settings.enabled_locales,
    spoken: { speaks },
  });
  return mailTranslator(lang, settings.form_of_address);
}
