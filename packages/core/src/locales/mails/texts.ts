import type { enMails } from "./en.ts";

/** The texts of mails and text messages in one language. A language with a missing or unknown text does not compile. */
export type MailTexts = { readonly [Key in keyof typeof enMails]: Key extends "direction" ? "ltr" | "rtl" : string };

/** The name of a text. */
export type MailTextKey = Exclude<keyof MailTexts, "direction">;
