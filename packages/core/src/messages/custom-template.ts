import type * as z from "zod";
import type { Row } from "../store/schema.ts";
import { isObject } from "../store/value.ts";
import type { emailTemplateSchema } from "../model/tenant/email-templates.ts";
import type { TemplateOfMail } from "../tenants/tenant-mail.ts";

/** A tenant's custom template for a message, in Liquid. For an omitted part, the built-in message is used. */
export interface CustomTemplate {
  /** The HTML of a mail. */
  readonly body?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  /** The text of a text message. */
  readonly text?: string | undefined;
}

/**
 * The mails that a tenant can disable by disabling their template. If the template of any other mail is disabled, the
 * built-in mail is sent, so that users are not locked out.
 */
const optionalMails: ReadonlySet<string> = new Set(["welcome_email", "blocked_account"]);

/**
 * The messages with a code or link to sign in with. Passwordless connections can have custom templates for these
 * messages.
 */
const loginMails: ReadonlySet<string> = new Set(["login_code", "login_link"]);

/** Returns Auth0's name for the template of a mail. */
export function auth0Template(template: string): string {
  return template === "login_code" ? "auth_email_by_code" : template;
}

/** Whether the tenant has disabled this mail. */
export function isUnwanted({ template, enabled }: z.infer<typeof emailTemplateSchema>): boolean {
  return enabled === false && optionalMails.has(template);
}

/**
 * Returns the custom template for a mail: the one in the options of the connection that the user signs in with,
 * otherwise the tenant's. The sender address in the template has an effect only if the template and the email provider
 * belong to the same tenant. A tenant cannot choose the sender address for a provider that it inherits.
 * @param providerOf the id of the tenant whose email provider sends the mail; undefined if no tenant has configured
 * one.
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

/** Returns the custom template for a text message, from the options of the connection that the user signs in with. */
export function customTemplateText(message: string, connection: Row<"connections"> | undefined): CustomTemplate | undefined {
  if (connection?.strategy !== "sms" || !loginMails.has(message)) return undefined;
  // From Auth0's older template syntax, only the placeholder for the code is supported.
  return { text: text(connection.options["template"])?.replaceAll("@@password@@", "{{ code }}") };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
