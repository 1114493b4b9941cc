import { en } from "./en.ts";
import { languageOf, languages } from "./languages.ts";
import type { FormOfAddress, Messages } from "./messages.ts";

/** What the pages say, in each language that there are texts in. */
export interface Translations {
  /** Whether there are texts for a tag such as `de` or `de-AT`: its own, or those of its language. */
  speaks(tag: string): boolean;
  /** The texts for a tag, loaded when they are first asked for; English where the tag is not spoken. */
  texts(tag: string, form: FormOfAddress): Promise<Messages>;
}

/**
 * Texts in a host's own words, by language tag: those it has other words for, or a language that the pages do not speak by themselves.
 * `{client}` and the like stand for names; which ones a text may hold shows in the English one.
 */
export interface PageTexts {
  readonly [tag: string]: Partial<Messages>;
}

/**
 * The built-in texts with a host's own in their place, however people are addressed. What it leaves out is said in the words of the language it belongs to,
 * or else in English, so that a text that a later version adds stops no host.
 * @throws {TypeError} for a tag that is none, and for a text that no page has, that is empty, or that names what its page does not know.
 */
export function createTranslations(texts: PageTexts = {}): Translations {
  for (const [tag, messages] of Object.entries(texts)) {
    checkTag(tag);
    for (const [key, text] of Object.entries(messages)) checkText(`texts.${tag}.${key}`, key, text);
  }
  const own = new Map(Object.entries(texts));
  const nameFor = (tag: string) => [tag, languageOf(tag)].find((name) => own.has(name) || languages.has(name));
  const loaded = new Map<string, Messages>();
  return {
    speaks: (tag) => nameFor(tag) !== undefined,
    texts: async (tag, form) => {
      const name = nameFor(tag) ?? "en";
      const known = loaded.get(form + name);
      if (known !== undefined) return known;
      const messages = { ...en, ...(await builtIn(name, form)), ...own.get(name) };
      loaded.set(form + name, messages);
      return messages;
    },
  };
}

/** What is built in for a tag or its language. */
async function builtIn(tag: string, form: FormOfAddress): Promise<Partial<Messages>> {
  const language = languages.get(tag) ?? languages.get(languageOf(tag));
  return { ...(await language?.texts()), ...(form === "familiar" && (await language?.familiar?.())) };
}

/** The names in braces that a text holds. */
export function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

function checkTag(tag: string): void {
  let canonical: string | undefined;
  try {
    [canonical] = Intl.getCanonicalLocales(tag);
  } catch {
    // Told below, with what a tag looks like.
  }
  if (canonical !== tag) throw new TypeError(`texts.${tag}: '${tag}' is not a language tag such as 'fr' or 'pt-BR'`);
}

function checkText(where: string, key: string, text: unknown): void {
  const english = Object.entries(en).find(([name]) => name === key)?.[1];
  if (english === undefined) throw new TypeError(`${where}: no page has a text of this name`);
  if (typeof text !== "string" || text.trim() === "") throw new TypeError(`${where} is empty`);
  if (key === "direction" && text !== "ltr" && text !== "rtl") throw new TypeError(`${where} must be 'ltr' or 'rtl'`);
  const known = placeholdersOf(english);
  const unknown = placeholdersOf(text).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${where}: {${unknown}} means nothing here${known.length === 0 ? "" : `; known is {${known.join("}, {")}}`}`);
}
