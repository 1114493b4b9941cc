import type { Row } from "../store/schema.ts";
import type { EmailTemplate } from "../model/tenant/email-templates.ts";
import type { TemplateOfMail } from "../tenants/tenant-mail.ts";

/** A tenant's custom template of a message, in Liquid. Omitted parts are as in the built-in message. */
export interface CustomTemplate {
  /** HTML. */
  readonly body?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  /** A text message. */
  readonly text?: string | undefined;
}

/**
 * Mails that a tenant can disable: if their template is disabled, they are not sent. For other mails, the built-in one
 * is sent then, so that users are not locked out.
 */
const optionalMails: ReadonlySet<string> = new Set(["welcome_email", "blocked_account"]);

/** Mails with a code or link to sign in with. Passwordless connections can have custom templates for them. */
const loginMails: ReadonlySet<string> = new Set(["login_code", "login_link"]);

/** Returns Auth0's name of a mail's template. */
export function auth0Template(template: string): string {
  return template === "login_code" ? "auth_email_by_code" : template;
}

/** Whether the tenant has disabled this mail. */
export function isUnwanted({ template, enabled }: EmailTemplate): boolean {
  return enabled === false && optionalMails.has(template);
}

/**
 * Returns the custom template of a mail: from the options of the connection that the user signs in with, or a template
 * of the tenant. The template's `from` address counts only if it belongs to the tenant whose provider sends the mail. A
 * tenant cannot choose the sender of an inherited provider.
 * @param providerOf the ID of the tenant whose provider sends the mail; undefined if the host's own sender is used.
 */
export function customMail(
  tenantId: string,
  message: string,
  found: TemplateOfMail | undefined,
  connection: Row<"connections"> | undefined,
  providerOf: string | undefined,
): CustomTemplate | undefined {
  const senderOf = (tenant: string, from: unknown) => (providerOf === undefined || providerOf === tenant ? text(from) : undefined);
  if (connection?.strategy === "email" && loginMails.has(message)) {
    const { email } = connection.options;
    if (isObject(email) && email["body"] !== undefined)
      return { body: text(email["body"]), subject: text(email["subject"]), from: senderOf(tenantId, email["from"]) };
  }
  if (found === undefined || found.template.enabled === false) return undefined;
  const { body, subject, from } = found.template;
  return { body: text(body), subject: text(subject), from: senderOf(found.tenantId, from) };
}

/** Returns the custom template of a text message, from the options of the connection that the user signs in with. */
export function customTemplateText(message: string, connection: Row<"connections"> | undefined): CustomTemplate | undefined {
  if (connection?.strategy !== "sms" || !loginMails.has(message)) return undefined;
  // The only supported part of Auth0's older syntax is the placeholder of the code.
  return { text: text(connection.options["template"])?.replaceAll("@@password@@", "{{ code }}") };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}
