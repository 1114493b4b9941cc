import type { Mail } from "../adapters/mail.ts";
import type { Sms, VoiceCall } from "../adapters/sms.ts";
import { chooseLocale } from "../locales/locale.ts";
import { hasMailLanguage } from "../locales/mails/languages.ts";
import { mailTranslator, type MailTranslate } from "../locales/mails/translate.ts";
import { brandingFor } from "../branding/branding.ts";
import { supportLink } from "../branding/support.ts";
import { clientNameOf } from "../branding/client-name.ts";
import { tenantNameOf } from "../branding/tenant-name.ts";
import { organizationLook } from "../model/organizations/branding.ts";
import { isSenderAddress } from "../model/tenant/sender-address.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { headerText } from "./address.ts";
import { drawMail } from "./layout.tsx";
import type { CallMessage, MailMessage, SmsMessage, Writing } from "./message.ts";
import type { CustomTemplate } from "./custom-template.ts";
import { footerOf, plainText } from "./plain-text.ts";
import type { Recipient } from "./send.ts";
import { templateValues } from "./template-values.ts";

/** A written message, and the reason why its custom template could not be used, if it could not. */
interface WrittenMessage<Message> {
  readonly written: Message;
  readonly fault?: string | undefined;
}

/**
 * Writes a mail in the user's language, with the tenant's branding or from the custom template. The plain text part is
 * always built in.
 */
export async function writeMail(
  tenant: RequestTenant,
  message: MailMessage,
  recipient: Recipient,
  { custom, from: defaultFrom = "" }: { readonly custom: CustomTemplate | undefined; readonly from: string | undefined },
): Promise<WrittenMessage<Mail>> {
  const writing = await writingFor(tenant, recipient);
  const { t, sender, address } = writing;
  const content = message.write(writing);
  const footer = footerOf(t, address, sender, supportLink(tenant.settings));
  const branding = brandingFor(tenant.record.branding, recipient.organization);
  const { code, link } = message;
  const { filled = {}, fault } =
    custom === undefined ? {} : await fill(tenant.id, custom, () => templateValues(tenant, message, recipient, writing));
  const from = headerText(filled.from ?? "");
  const sentFrom = isSenderAddress(from) ? from : defaultFrom;
  return {
    fault,
    written: {
      tenantId: tenant.id,
      template: message.template,
      to: address,
      ...(sentFrom !== "" && { from: sentFrom }),
      subject: headerText(filled.subject ?? "") || headerText(content.subject),
      text: plainText(content, footer),
      html: filled.body ?? drawMail({ t, content, footer, name: branding.name ?? tenantNameOf(tenant), branding }),
      ...(code !== undefined && { code }),
      ...(link !== undefined && { link }),
    },
  };
}

/** Writes a text message in the user's language, or from the custom template. */
export async function writeSms(
  tenant: RequestTenant,
  message: SmsMessage,
  recipient: Recipient,
  custom: CustomTemplate | undefined,
): Promise<WrittenMessage<Sms>> {
  const writing = await writingFor(tenant, recipient);
  const { template, code, link } = message;
  const { filled, fault } =
    custom === undefined ? {} : await fill(tenant.id, custom, () => templateValues(tenant, message, recipient, writing));
  return {
    fault,
    written: {
      tenantId: tenant.id,
      template,
      to: recipient.to,
      text: filled?.text ?? message.writeText(writing),
      ...(code !== undefined && { code }),
      ...(link !== undefined && { link }),
    },
  };
}

/** Writes the text of a voice call in the user's language. */
export async function writeCall(tenant: RequestTenant, message: CallMessage, recipient: Recipient): Promise<VoiceCall> {
  const writing = await writingFor(tenant, recipient);
  const { template, code } = message;
  return { tenantId: tenant.id, template, to: recipient.to, text: message.writeSpokenText(writing), language: writing.t.lang, code };
}

/**
 * Renders the parts of a custom template, or returns the reason why they cannot be rendered. Loads the template engine
 * on first use.
 */
async function fill(
  tenantId: string,
  { body, subject, from, text }: CustomTemplate,
  values: () => object,
): Promise<{ readonly filled?: CustomTemplate; readonly fault?: string }> {
  const { faultOf, renderMessage } = await import("./liquid.ts");
  const known = values();
  try {
    const filled = await renderMessage(tenantId, async (render) => {
      const plain = async (template: string | undefined) => template && (await render(template, known, "text"));
      return {
        body: body && (await render(body, known, "html")),
        subject: await plain(subject),
        from: await plain(from),
        text: await plain(text),
      };
    });
    return { filled };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

async function writingFor(tenant: RequestTenant, { to, uiLocales, client, organization }: Recipient): Promise<Writing> {
  const { urls } = tenant;
  const sender = organization === undefined ? tenantNameOf(tenant) : organizationLook(organization).name;
  return {
    t: await translatorFor(tenant, uiLocales),
    sender,
    app: (client && clientNameOf(client)) ?? sender,
    address: to,
    host: new URL(urls.origin).hostname,
  };
}

function translatorFor({ requestInfo, settings }: RequestTenant, uiLocales: string | undefined): Promise<MailTranslate> {
  const lang = chooseLocale({
    ...(uiLocales !== undefined && { uiLocales }),
    acceptLanguage: requestInfo.acceptLanguage,
    enabled: settings.enabled_locales,
    available: { hasLanguage: hasMailLanguage },
  });
  return mailTranslator(lang, settings.form_of_address);
}
