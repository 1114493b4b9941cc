import { en } from "./en.ts";
import type { Messages } from "./messages.ts";

/** A language that the pages speak by themselves. */
export interface Language {
  /** Its texts, which address people formally where the language knows that. */
  readonly texts: () => Promise<Messages>;
  /** Those that are other words where people are addressed familiarly. Left out: the language has one way for all. */
  readonly familiar?: () => Promise<Partial<Messages>>;
}

/**
 * Every language that the pages speak by themselves, the first one where nobody wishes another. Each but English is loaded when a page is first drawn in it.
 * To add one: its files, and its line here.
 */
export const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["en", { texts: async () => en }],
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
