import { en } from "./en.ts";
import { languageOf, languages } from "./languages.ts";
import type { FormOfAddress, Messages } from "./messages.ts";

/** The texts of the pages, in every available language. */
export interface Translations {
  /** Whether texts for a tag such as `de-AT`, or for its language `de`, are available. */
  hasLanguage(tag: string): boolean;
  /** Returns the texts for a tag, or the English texts if the language is not available. Loads them on first use. */
  texts(tag: string, form: FormOfAddress): Promise<Messages>;
}

/**
 * The host's custom texts, by language tag: replacements for built-in texts, or the texts of a further language.
 * A text may contain the placeholders of the English text, such as `{client}`.
 */
export interface PageTexts {
  readonly [tag: string]: Partial<Messages>;
}

/**
 * Combines the built-in texts with the host's custom texts, which replace them in both forms of address. Texts that the
 * host omits are the built-in texts of the language, or English. A text that a later version adds therefore breaks no
 * host.
 * @throws {TypeError} if a tag is invalid, or if a text is unknown, is empty or contains an unknown placeholder.
 */
export function createTranslations(texts: PageTexts = {}): Translations {
  for (const [tag, messages] of Object.entries(texts)) {
    checkTag(tag);
    for (const [key, text] of Object.entries(messages)) checkText(`texts.${tag}.${key}`, key, text);
  }
  const custom = new Map(Object.entries(texts));
  const nameFor = (tag: string) => [tag, languageOf(tag)].find((name) => custom.has(name) || languages.has(name));
  const loaded = new Map<string, Messages>();
  return {
    hasLanguage: (tag) => nameFor(tag) !== undefined,
    texts: async (tag, form) => {
      const name = nameFor(tag) ?? "en";
      const cached = loaded.get(form + name);
      if (cached !== undefined) return cached;
      const messages = { ...en, ...(await builtIn(name, form)), ...custom.get(name) };
      loaded.set(form + name, messages);
      return messages;
    },
  };
}

/** Returns the built-in texts for a tag or its language. */
async function builtIn(tag: string, form: FormOfAddress): Promise<Partial<Messages>> {
  const language = languages.get(tag) ?? languages.get(languageOf(tag));
  return { ...(await language?.texts()), ...(form === "familiar" && (await language?.familiar?.())) };
}

/** Returns the names of the placeholders in a text. */
export function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function checkTag(tag: string): void {
  let canonical: string | undefined;
  try {
    [canonical] = Intl.getCanonicalLocales(tag);
  } catch {
    // The error below shows valid tags.
  }
  if (canonical !== tag) throw new TypeError(`texts.${tag}: '${tag}' is not a language tag such as 'fr' or 'pt-BR'`);
}

function checkText(path: string, key: string, text: unknown): void {
  const english = Object.entries(en).find(([name]) => name === key)?.[1];
  if (english === undefined) throw new TypeError(`${path}: no page has a text of this name`);
  if (typeof text !== "string" || text.trim() === "") throw new TypeError(`${path} is empty`);
  if (key === "direction" && text !== "ltr" && text !== "rtl") throw new TypeError(`${path} must be 'ltr' or 'rtl'`);
  const known = placeholdersOf(english);
  const unknown = placeholdersOf(text).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${path}: {${unknown}} means nothing here${known.length === 0 ? "" : `; known is {${known.join("}, {")}}`}`);
}
