import { en } from "./en.ts";
import type { MailTexts } from "./mails/texts.ts";
import type { Messages } from "./messages.ts";

/** The texts in one language. */
export interface LanguageTexts<Texts> {
  /** Loads the texts, with the formal form of address if the language has one. */
  readonly texts: () => Promise<Texts>;
  /**
   * Loads the texts that differ with the familiar form of address. Omitted if the language has only one form of
   * address.
   */
  readonly familiar?: () => Promise<Partial<Texts>>;
}

/** The texts in a built-in language. */
interface Language extends LanguageTexts<Messages> {
  /** The texts for mails and text messages. */
  readonly mails: LanguageTexts<MailTexts>;
}

/** The language that is used if no other language is available. */
export const english: Language = { texts: async () => en, mails: { texts: async () => (await import("./mails/en.ts")).enMails } };

/**
 * The built-in languages by their tags. The first language is the default. The texts in a language are loaded for the
 * first page or mail in that language; the English texts for pages are always loaded. To add a language, add its files
 * and an entry here.
 */
export const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["en", english],
  [
    "de",
    {
      texts: async () => (await import("./de.ts")).de,
      familiar: async () => (await import("./familiar/de.ts")).deFamiliar,
      mails: {
        texts: async () => (await import("./mails/de.ts")).deMails,
        familiar: async () => (await import("./mails/familiar/de.ts")).deFamiliarMails,
      },
    },
  ],
  [
    "fr",
    {
      texts: async () => (await import("./fr.ts")).fr,
      familiar: async () => (await import("./familiar/fr.ts")).frFamiliar,
      mails: {
        texts: async () => (await import("./mails/fr.ts")).frMails,
        familiar: async () => (await import("./mails/familiar/fr.ts")).frFamiliarMails,
      },
    },
  ],
  [
    "es",
    {
      texts: async () => (await import("./es.ts")).es,
      familiar: async () => (await import("./familiar/es.ts")).esFamiliar,
      mails: {
        texts: async () => (await import("./mails/es.ts")).esMails,
        familiar: async () => (await import("./mails/familiar/es.ts")).esFamiliarMails,
      },
    },
  ],
  [
    "it",
    {
      texts: async () => (await import("./it.ts")).it,
      familiar: async () => (await import("./familiar/it.ts")).itFamiliar,
      mails: {
        texts: async () => (await import("./mails/it.ts")).itMails,
        familiar: async () => (await import("./mails/familiar/it.ts")).itFamiliarMails,
      },
    },
  ],
  ["pt", { texts: async () => (await import("./pt.ts")).pt, mails: { texts: async () => (await import("./mails/pt.ts")).ptMails } }],
  [
    "nl",
    {
      texts: async () => (await import("./nl.ts")).nl,
      familiar: async () => (await import("./familiar/nl.ts")).nlFamiliar,
      mails: {
        texts: async () => (await import("./mails/nl.ts")).nlMails,
        familiar: async () => (await import("./mails/familiar/nl.ts")).nlFamiliarMails,
      },
    },
  ],
  [
    "pl",
    {
      texts: async () => (await import("./pl.ts")).pl,
      familiar: async () => (await import("./familiar/pl.ts")).plFamiliar,
      mails: {
        texts: async () => (await import("./mails/pl.ts")).plMails,
        familiar: async () => (await import("./mails/familiar/pl.ts")).plFamiliarMails,
      },
    },
  ],
  ["ja", { texts: async () => (await import("./ja.ts")).ja, mails: { texts: async () => (await import("./mails/ja.ts")).jaMails } }],
  ["ar", { texts: async () => (await import("./ar.ts")).ar, mails: { texts: async () => (await import("./mails/ar.ts")).arMails } }],
  ["he", { texts: async () => (await import("./he.ts")).he, mails: { texts: async () => (await import("./mails/he.ts")).heMails } }],
]);

/** Returns the language in a tag: `de` for `de-AT`. */
export function languageOf(tag: string): string {
  return tag.split("-")[0] ?? "";
}
