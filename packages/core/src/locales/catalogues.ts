import { de } from "./de.ts";
import { en } from "./en.ts";
import type { Messages } from "./messages.ts";

/** The texts of the pages by language: tags such as `de` or `de-AT`. */
export interface Catalogues {
  readonly [tag: string]: Messages;
}

/** Every language that the pages speak by themselves. To add one: its file, and its line here. */
export const builtIn: Catalogues = { en, de };

/**
 * Texts in a host's own words, by language tag: those it has other words for, or a language that the pages do not speak by themselves.
 * `{client}` and the like stand for names; which ones a text may hold shows in the English one.
 */
export interface PageTexts {
  readonly [tag: string]: Partial<Messages>;
}

/**
 * The built-in texts with a host's own in their place. What it leaves out is said in the words of the language it belongs to, or else in English,
 * so that a text that a later version adds stops no host.
 * @throws {TypeError} for a tag that is none, and for a text that no page has, that is empty, or that names what its page does not know.
 */
export function withTexts(texts: PageTexts): Catalogues {
  const own = Object.entries(texts).map(([tag, messages]): [string, Messages] => {
    checkTag(tag);
    for (const [key, text] of Object.entries(messages)) checkText(`texts.${tag}.${key}`, key, text);
    return [tag, { ...en, ...cataloguedFor(builtIn, tag), ...messages }];
  });
  return { ...builtIn, ...Object.fromEntries(own) };
}

/** The texts for a tag: those of the tag itself, or of its language. */
export function cataloguedFor(catalogues: Catalogues, tag: string): Messages | undefined {
  const [language = ""] = tag.split("-");
  return [tag, language]
    .map((name) => (Object.hasOwn(catalogues, name) ? catalogues[name] : undefined))
    .find((found) => found !== undefined);
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
