import { english, languageOf, languages, type LanguageTexts } from "../languages.ts";
import type { MailTexts } from "./texts.ts";

/** The languages that mails and text messages can be written in. */
export const mailLanguages: ReadonlyMap<string, LanguageTexts<MailTexts>> = new Map([...languages].map(([tag, { mails }]) => [tag, mails]));

/** Whether texts for mails are available in the language of a tag. */
export function hasMailLanguage(tag: string): boolean {
  return mailLanguages.has(languageOf(tag));
}

/** Returns the texts in the language of a tag, or the English texts if the language is not available. */
export function mailLanguage(tag: string): LanguageTexts<MailTexts> {
  return mailLanguages.get(languageOf(tag)) ?? english.mails;
}
