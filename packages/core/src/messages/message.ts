import type { JsonObject } from "../store/value.ts";
import type { MailTranslate } from "../locales/mails/translate.ts";

/** What a message is written from. */
export interface Writing {
  readonly say: MailTranslate;
  /** The organization that the message is about, or the tenant. */
  readonly sender: string;
  /** The application that somebody came from, else the sender. */
  readonly app: string;
  /** The recipient's address or phone number. */
  readonly address: string;
  /** The host name that the person's browser is at. */
  readonly host: string;
}

/** A part of a mail. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** A one-time code, to be read and copied. */
  | { readonly kind: "code"; readonly code: string }
  /** A link as a button, with its address in plain sight. */
  | { readonly kind: "link"; readonly label: string; readonly link: string }
  | { readonly kind: "facts"; readonly facts: readonly (readonly [name: string, value: string])[] }
  /** In small print: what to do if the mail is no business of the reader's. */
  | { readonly kind: "note"; readonly text: string };

/** What a mail says. Its subject is its heading too. */
export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly Block[];
}

/**
 * A mail before it has a recipient. Built-in mails never hold what people call themselves: anybody can sign up under somebody else's address
 * with a name that is an advertisement.
 */
export interface MailMessage {
  /** The vendor's name for its template, where it has one. */
  readonly template: string;
  readonly code?: string;
  readonly link?: string;
  /** What a tenant's own template can name besides: plain values by the vendor's names. Those of `user` stand beside what is known of the person. */
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
