import type { MailTexts } from "./texts.ts";

/** A language that mails and text messages speak. */
export interface MailLanguage {
  /** Its texts, which address people formally where the language knows that. */
  readonly texts: () => Promise<MailTexts>;
  /** Those that are other words where people are addressed familiarly. Left out: the language has one way for all. */
  readonly familiar?: () => Promise<Partial<MailTexts>>;
}

const english: MailLanguage = { texts: async () => (await import("./en.ts")).en };

/** Every language that mails speak. Each is loaded when the first mail is written in it. To add one: its files, and its line here. */
export const mailLanguages: ReadonlyMap<string, MailLanguage> = new Map<string, MailLanguage>([
  ["en", english],
  ["de", { texts: async () => (await import("./de.ts")).de, familiar: async () => (await import("./familiar/de.ts")).deFamiliar }],
  ["fr", { texts: async () => (await import("./fr.ts")).fr, familiar: async () => (await import("./familiar/fr.ts")).frFamiliar }],
  ["es", { texts: async () => (await import("./es.ts")).es, familiar: async () => (await import("./familiar/es.ts")).esFamiliar }],
  ["it", { texts: async () => (await import("./it.ts")).it, familiar: async () => (await import("./familiar/it.ts")).itFamiliar }],
  ["pt", { texts: async () => (await import("./pt.ts")).pt }],
  ["nl", { texts: async () => (await import("./nl.ts")).nl, familiar: async () => (await import("./familiar/nl.ts")).nlFamiliar }],
  ["pl", { texts: async () => (await import("./pl.ts")).pl, familiar: async () => (await import("./familiar/pl.ts")).plFamiliar }],
  ["ja", { texts: async () => (await import("./ja.ts")).ja }],
  ["ar", { texts: async () => (await import("./ar.ts")).ar }],
  ["he", { texts: async () => (await import("./he.ts")).he }],
]);

/** Whether mails speak the language of a tag. */
export function speaks(tag: string): boolean {
  return mailLanguages.has(languageOf(tag));
}

/** The language of a tag; English where mails do not speak it. */
export function mailLanguage(tag: string): MailLanguage {
  return mailLanguages.get(languageOf(tag)) ?? english;
}

function languageOf(tag: string): string {
  return tag.split("-")[0] ?? "";
}
