import type { en } from "./en.ts";

/** Everything that mails and text messages say, in one language. A language that lacks a text, or has one too many, does not compile. */
export type MailTexts = { readonly [Key in keyof typeof en]: Key extends "direction" ? "ltr" | "rtl" : string };

/** The name of a text. */
export type MailTextKey = Exclude<keyof MailTexts, "direction">;
