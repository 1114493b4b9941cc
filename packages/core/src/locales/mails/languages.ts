import type { MailTexts } from "./texts.ts";

/** A language that mails and text messages speak. */
export interface MailLanguage {
  /** Its texts, which address people formally where the language knows that. */
  readonly texts: () => Promise<MailTexts>;
  /** Those that are other words where people are addressed familiarly. Left out: the language has one way for all. */
  readonly familiar?: () => Promise<Partial<MailTexts>>;
}

const english: MailLanguage = { texts: async () => (await import("./en.ts")).en };

/** Every language that mails speak but English. Each is loaded when the first mail is written in it. To add one: its files, and its line here. */
const others: ReadonlyMap<string, MailLanguage> = new Map<string, MailLanguage>([
  [
    "de",
    {
      texts: async () => (await import("./de.ts")).de,
      familiar: async () => (await import("./familiar/de.ts")).deFamiliar,
    },
  ],
]);

/** Whether mails speak the language of a tag. */
export function speaks(tag: string): boolean {
  return languageOf(tag) !== undefined;
}

/** The language of a tag; English where mails do not speak it. */
export function mailLanguage(tag: string): MailLanguage {
  return languageOf(tag) ?? english;
}

function languageOf(tag: string): MailLanguage | undefined {
  const [language = ""] = tag.split("-");
  return language === "en" ? english : (others.get(tag) ?? others.get(language));
}
