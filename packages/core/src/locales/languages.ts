import { en } from "./en.ts";
import type { Messages } from "./messages.ts";

/** A language that the pages speak by themselves. */
export interface Language {
  /** Its texts, which address people formally where the language knows that. */
  readonly texts: () => Promise<Partial<Messages>>;
  /** Those that are other words where people are addressed familiarly. Left out: the language has one way for all. */
  readonly familiar?: () => Promise<Partial<Messages>>;
}

/**
 * Every language that the pages speak by themselves, the first one where nobody wishes another. Each but English is loaded when a page is first drawn in it.
 * To add one: its files, and its line here.
 */
export const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ["en", { texts: async () => en }],
  [
    "de",
    {
      texts: async () => (await import("./de.ts")).de,
      familiar: async () => (await import("./familiar/de.ts")).deFamiliar,
    },
  ],
]);
