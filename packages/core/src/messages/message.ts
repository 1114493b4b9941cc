import type { JsonObject } from "../store/value.ts";
import type { MailTranslate } from "../locales/mails/translate.ts";

/** The values from which the text of a message is written. */
export interface Writing {
  readonly t: MailTranslate;
  /** The name of the organization that the message is about, otherwise of the tenant. */
  readonly sender: string;
  /** The name of the application that the user came from, otherwise the sender's name. */
  readonly app: string;
  /** The recipient's email address or phone number. */
  readonly address: string;
  /** The host name in the URLs of the login pages. */
  readonly host: string;
}

/** A part of a mail. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** A one-time code, formatted for reading and copying. */
  | { readonly kind: "code"; readonly code: string }
  /** A link, as a button and with its URL as visible text. */
  | { readonly kind: "link"; readonly label: string; readonly link: string }
  | { readonly kind: "facts"; readonly facts: readonly (readonly [name: string, value: string])[] }
  /** Small print, such as what to do if the mail was not meant for the reader. */
  | { readonly kind: "note"; readonly text: string };

/** The content of a mail. The subject is also the heading. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/**
 * A mail that has no recipient yet. Built-in mails never contain a user's name, because a visitor could sign up with
 * another person's email address and an advertisement as the name.
 */
export interface MailMessage {
  /** The name of the template: Auth0's name, if there is one. */
  readonly template: string;
  readonly code?: string;
  readonly link?: string;
  /**
   * Additional values for custom templates, with Auth0's names. The members of `user` are added to the data about the
   * user.
   */
  readonly values?: JsonObject;
  write(writing: Writing): MailContent;
}

/** A text message that has no recipient yet. */
export interface SmsMessage {
  readonly template: string;
  readonly code?: string;
  readonly link?: string;
  writeText(writing: Writing): string;
}

/** A voice call that has no recipient yet. */
export interface CallMessage {
  readonly template: string;
  readonly code: string;
  /** Returns the words to speak. */
  writeSpokenText(writing: Writing): string;
}

/** Separates the digits of a code, so that a speech engine reads them one by one. */
export function spokenCode(code: string): string {
  return code.split("").join(", ");
}
