import { en } from "./en.ts";
import type { MailTexts } from "./mails/texts.ts";
import type { Messages } from "./messages.ts";

/** How texts are said in a language. */
export interface Said<Texts> {
  /** They address people formally where the language knows that. */
  readonly texts: () => Promise<Texts>;
  /** Those that are other words where people are addressed familiarly. Left out: the language has one way for all. */
  readonly familiar?: () => Promise<Partial<Texts>>;
}

/** A language that Postern speaks by itself. */
export interface Language extends Said<Messages> {
  /** What mails and text messages say in it. */
  readonly mails: Said<MailTexts>;
}

/** What is spoken where nothing else is. */
export const english: Language = { texts: async () => en, mails: { texts: async () => (await import("./mails/en.ts")).en } };

/**
 * Every language that Postern speaks by itself, the first one where nobody wishes another. Each is loaded when the first page is drawn in it, or the first mail
 * written; the pages' English is there already. To add one: its files, and its entry here.
 */
export const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["en", english],
  [
    "de",
    {
      texts: async () => (await import("./de.ts")).de,
      familiar: async () => (await import("./familiar/de.ts")).deFamiliar,
      mails: {
        texts: async () => (await import("./mails/de.ts")).de,
        familiar: async () => (await import("./mails/familiar/de.ts")).deFamiliar,
      },
    },
  ],
  [
    "fr",
    {
      texts: async () => (await import("./fr.ts")).fr,
      familiar: async () => (await import("./familiar/fr.ts")).frFamiliar,
      mails: {
        texts: async () => (await import("./mails/fr.ts")).fr,
        familiar: async () => (await import("./mails/familiar/fr.ts")).frFamiliar,
      },
    },
  ],
  [
    "es",
    {
      texts: async () => (await import("./es.ts")).es,
      familiar: async () => (await import("./familiar/es.ts")).esFamiliar,
      mails: {
        texts: async () => (await import("./mails/es.ts")).es,
        familiar: async () => (await import("./mails/familiar/es.ts")).esFamiliar,
      },
    },
  ],
  [
    "it",
    {
      texts: async () => (await import("./it.ts")).it,
      familiar: async () => (await import("./familiar/it.ts")).itFamiliar,
      mails: {
        texts: async () => (await import("./mails/it.ts")).it,
        familiar: async () => (await import("./mails/familiar/it.ts")).itFamiliar,
      },
    },
  ],
  ["pt", { texts: async () => (await import("./pt.ts")).pt, mails: { texts: async () => (await import("./mails/pt.ts")).pt } }],
  [
    "nl",
    {
      texts: async () => (await import("./nl.ts")).nl,
      familiar: async () => (await import("./familiar/nl.ts")).nlFamiliar,
      mails: {
        texts: async () => (await import("./mails/nl.ts")).nl,
        familiar: async () => (await import("./mails/familiar/nl.ts")).nlFamiliar,
      },
    },
  ],
  [
    "pl",
    {
      texts: async () => (await import("./pl.ts")).pl,
      familiar: async () => (await import("./familiar/pl.ts")).plFamiliar,
      mails: {
        texts: async () => (await import("./mails/pl.ts")).pl,
        familiar: async () => (await import("./mails/familiar/pl.ts")).plFamiliar,
      },
    },
  ],
  ["ja", { texts: async () => (await import("./ja.ts")).ja, mails: { texts: async () => (await import("./mails/ja.ts")).ja } }],
  ["ar", { texts: async () => (await import("./ar.ts")).ar, mails: { texts: async () => (await import("./mails/ar.ts")).ar } }],
  ["he", { texts: async () => (await import("./he.ts")).he, mails: { texts: async () => (await import("./mails/he.ts")).he } }],
]);

/** The language of a tag: `de` of `de-AT`. */
export function languageOf(tag: string): string {
  return tag.split("-")[0] ?? "";
}
