import { english, languageOf, languages, type Said } from "../languages.ts";
import type { MailTexts } from "./texts.ts";

/** Every language that mails speak. */
export const mailLanguages: ReadonlyMap<string, Said<MailTexts>> = new Map([...languages].map(([tag, { mails }]) => [tag, mails]));

/** Whether mails speak the language of a tag. */
export function speaks(tag: string): boolean {
  return mailLanguages.has(languageOf(tag));
}

/** The language of a tag; English where mails do not speak it. */
export function mailLanguage(tag: string): Said<MailTexts> {
  return mailLanguages.get(languageOf(tag)) ?? english.mails;
}
