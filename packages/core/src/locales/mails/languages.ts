import { english, languageOf, languages, type LanguageTexts } from "../languages.ts";
import type { MailTexts } from "./texts.ts";

/** The languages of mails and text messages. */
export const mailLanguages: ReadonlyMap<string, LanguageTexts<MailTexts>> = new Map([...languages].map(([tag, { mails }]) => [tag, mails]));

/** Whether mails have texts for the language of a tag. */
export function hasMailLanguage(tag: string): boolean {
  return mailLanguages.has(languageOf(tag));
}

/** Returns the texts for the language of a tag; English if the language is not available. */
export function mailLanguage(tag: string): LanguageTexts<MailTexts> {
  return mailLanguages.get(languageOf(tag)) ?? english.mails;
}
