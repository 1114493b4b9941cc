import type { enMails } from "./en.ts";

/**
 * The texts for mails and text messages in one language. With a missing or unknown text, the file of a language does
 * not compile.
 */
export type MailTexts = { readonly [Key in keyof typeof enMails]: Key extends "direction" ? "ltr" | "rtl" : string };

/** The name of a text. */
export type MailTextKey = Exclude<keyof MailTexts, "direction">;
