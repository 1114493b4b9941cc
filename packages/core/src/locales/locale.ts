import type { Translations } from "./translations.ts";

/** What a browser or a client says about languages. */
export interface LocaleWishes {
  /** OpenID Connect's `ui_locales`: tags with spaces between them, best first. They come before the browser's. */
  readonly uiLocales?: string;
  /** The browser's `Accept-Language`. */
  readonly acceptLanguage: string;
  /** What the tenant lets its pages speak, its default first. */
  readonly enabled: readonly string[];
  /** What there are texts in. */
  readonly spoken: Pick<Translations, "speaks">;
}

/** More wishes than a person has are not looked at. */
const most = 20;

/**
 * Chooses among the languages that the tenant enables and the pages speak, wish by wish: the very tag, then the tag without its last part
 * and so on (RFC 4647 lookup), then another region of the same language. Nobody's wish is the tenant's first language, or English.
 */
export function chooseLocale({ uiLocales = "", acceptLanguage, enabled, spoken }: LocaleWishes): string {
  const offered = offeredLocales(enabled, spoken);
  const wishes = [...uiLocales.split(/\s+/), ...acceptedTags(acceptLanguage)].filter((tag) => tag !== "").slice(0, most);
  for (const wish of wishes) {
    const found = match(wish.toLowerCase(), offered);
    if (found !== undefined) return found;
  }
  return offered[0] ?? "en";
}

/** The languages that pages are spoken in: those that the tenant enables and that there are texts in, or English. */
export function offeredLocales(enabled: readonly string[], spoken: Pick<Translations, "speaks">): readonly string[] {
  const offered = enabled.filter((tag) => spoken.speaks(tag));
  return offered.length === 0 ? ["en"] : offered;
}

function match(wish: string, offered: readonly string[]): string | undefined {
  const parts = wish.split("-");
  for (let length = parts.length; length > 0; length--) {
    const tag = parts.slice(0, length).join("-");
    const found = offered.find((candidate) => candidate.toLowerCase() === tag);
    if (found !== undefined) return found;
  }
  return offered.find((candidate) => candidate.toLowerCase().split("-")[0] === parts[0]);
}

/** The tags of an `Accept-Language` header by weight, those alike in their order. Weight 0 means "not this one". */
function acceptedTags(header: string): string[] {
  return header
    .split(",")
    .slice(0, most)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))?.split("=")[1];
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
