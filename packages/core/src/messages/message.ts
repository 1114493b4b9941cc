import type { JsonObject } from "../store/value.ts";
import type { MailTranslate } from "../locales/mails/translate.ts";

/** The input for the text of a message. */
export interface Writing {
  readonly t: MailTranslate;
  /** The organization that the message is about, or the tenant. */
  readonly sender: string;
  /** The name of the application that the user came from, else the sender. */
  readonly app: string;
  /** The recipient's address or phone number. */
  readonly address: string;
  /** The host name that the user's browser shows. */
  readonly host: string;
}

/** A part of a mail. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** A one-time code, formatted for reading and copying. */
  | { readonly kind: "code"; readonly code: string }
  /** A link as a button, with its URL as visible text. */
  | { readonly kind: "link"; readonly label: string; readonly link: string }
  | { readonly kind: "facts"; readonly facts: readonly (readonly [name: string, value: string])[] }
  /** Small print: what to do if the mail is not for the reader. */
  | { readonly kind: "note"; readonly text: string };

/** The content of a mail. The subject is also its heading. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/**
 * A mail before it has a recipient. Built-in mails never contain the names of users: a visitor could sign up with the
 * email address of another person and an advertisement as the name.
 */
export interface MailMessage {
  /** Auth0's name of the template, if there is one. */
  readonly template: string;
  readonly code?: string;
  readonly link?: string;
  /**
   * Additional values for custom templates: plain data with Auth0's names. The members of `user` are added to the known
   * data of the user.
   */
  readonly values?: JsonObject;
  write(writing: Writing): MailContent;
}

/** A text message before it has a recipient. */
export interface SmsMessage {
  readonly template: string;
  readonly code?: string;
  readonly link?: string;
  writeText(writing: Writing): string;
}
