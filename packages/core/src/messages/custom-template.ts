import type { Row } from "../store/schema.ts";
import type { EmailTemplate } from "../model/tenant/email-templates.ts";
import type { TemplateOfMail } from "../tenants/tenant-mail.ts";

/** A message in a tenant's own words, in Liquid. What is left out is as it is built in. */
export interface CustomTemplate {
  /** HTML. */
  readonly body?: string | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  /** A text message. */
  readonly text?: string | undefined;
}

/** Mails that a tenant can do without: where it switches their template off, they are not sent. Of the others the built-in one is, so that nobody is locked out. */
const dispensable: ReadonlySet<string> = new Set(["welcome_email", "blocked_account"]);

/** Mails by whose code or link somebody signs in: connections of their own can say what they say. */
const loginMails: ReadonlySet<string> = new Set(["login_code", "login_link"]);

/** The vendor's name of a mail's template. */
export function auth0Template(template: string): string {
  return template === "login_code" ? "auth_email_by_code" : template;
}

/** Whether the tenant wants no such mail. */
export function isUnwanted({ template, enabled }: EmailTemplate): boolean {
  return enabled === false && dispensable.has(template);
}

/**
 * What a tenant says in a mail: in the options of the connection that somebody signs in by, or in a template. Who it is from is the word of whoever's provider sends it: through one that is
 * inherited no tenant writes in another's name.
 * @param providerOf whose provider sends it; undefined where the host's own way is used.
 */
export function customMail(
  tenantId: string,
  message: string,
  found: TemplateOfMail | undefined,
  connection: Row<"connections"> | undefined,
  providerOf: string | undefined,
): CustomTemplate | undefined {
  const senderOf = (whose: string, from: unknown) => (providerOf === undefined || providerOf === whose ? text(from) : undefined);
  if (connection?.strategy === "email" && loginMails.has(message)) {
    const { email } = connection.options;
    if (isObject(email) && email["body"] !== undefined)
      return { body: text(email["body"]), subject: text(email["subject"]), from: senderOf(tenantId, email["from"]) };
  }
  if (found === undefined || found.template.enabled === false) return undefined;
  const { body, subject, from } = found.template;
  return { body: text(body), subject: text(subject), from: senderOf(found.tenantId, from) };
}

/** What a tenant says in a text message: in the options of the connection that somebody signs in by. */
export function customText(message: string, connection: Row<"connections"> | undefined): CustomTemplate | undefined {
  if (connection?.strategy !== "sms" || !loginMails.has(message)) return undefined;
  // Of the vendor's older syntax its one word for the code is known.
  return { text: text(connection.options["template"])?.replaceAll("@@password@@", "{{ code }}") };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}
