import { en } from "./en.ts";
import { languageOf, languages } from "./languages.ts";
import type { FormOfAddress, Messages } from "./messages.ts";

/** The texts for pages in all available languages. */
export interface Translations {
  /** Whether texts are available for a tag such as `de-AT`, or for its language `de`. */
  hasLanguage(tag: string): boolean;
  /**
   * Returns the texts for a tag, or the English texts if the language is not available. Loads the texts on first use.
   */
  texts(tag: string, form: FormOfAddress): Promise<Messages>;
}

/**
 * The host's custom texts by language tag. They replace built-in texts, or add a language. A text may contain the same
 * placeholders as the English text, such as `{client}`.
 */
export interface PageTexts {
  readonly [tag: string]: Partial<Messages>;
}

/**
 * Combines the built-in texts with the host's custom texts. A custom text replaces the built-in text in both forms of
 * address. If the host omits a text, the built-in text in the same language is used, or the English text if the
 * language is not built in. A host therefore keeps working if a later version adds a text.
 * @throws {TypeError} if a tag is invalid, or if a text has an unknown name, is empty or contains an unknown
 * placeholder.
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

/** Returns the built-in texts for a tag, otherwise those for its language. */
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
    // The error below reports the invalid tag.
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
