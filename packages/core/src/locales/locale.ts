import type { Translations } from "./translations.ts";

/** The language preferences of a request, and the languages that can satisfy them. */
interface LocalePreferences {
  /** `ui_locales` (OpenID Connect): space-separated tags, best first. They take precedence over the browser's. */
  readonly uiLocales?: string;
  /** The browser's `Accept-Language`. */
  readonly acceptLanguage: string;
  /** The languages that the tenant enables, its default first. */
  readonly enabled: readonly string[];
  /** The languages that have texts. */
  readonly available: Pick<Translations, "hasLanguage">;
}

/** The maximum number of preferences that are read. */
const maximumPreferences = 20;

/**
 * Chooses a language that the tenant enables and that has texts. For each preference, tries the tag, then the tag
 * without its last part and so on (RFC 4647 lookup), then another region of the same language. Without a match, returns
 * the tenant's first language, or English.
 */
export function chooseLocale({ uiLocales = "", acceptLanguage, enabled, available }: LocalePreferences): string {
  const offered = offeredLocales(enabled, available);
  const preferences = [...uiLocales.split(/\s+/), ...acceptedTags(acceptLanguage)].filter((tag) => tag !== "").slice(0, maximumPreferences);
  for (const preference of preferences) {
    const found = match(preference.toLowerCase(), offered);
    if (found !== undefined) return found;
  }
  return offered[0] ?? "en";
}

/** Returns the languages that the tenant enables and that have texts; English if no language qualifies. */
export function offeredLocales(enabled: readonly string[], available: Pick<Translations, "hasLanguage">): readonly string[] {
  const offered = enabled.filter((tag) => available.hasLanguage(tag));
  return offered.length === 0 ? ["en"] : offered;
}

function match(preference: string, offered: readonly string[]): string | undefined {
  const parts = preference.split("-");
  for (let length = parts.length; length > 0; length--) {
    const tag = parts.slice(0, length).join("-");
    const found = offered.find((candidate) => candidate.toLowerCase() === tag);
    if (found !== undefined) return found;
  }
  return offered.find((candidate) => candidate.toLowerCase().split("-")[0] === parts[0]);
}

/**
 * Returns the tags of an `Accept-Language` header by weight; equal weights keep their order. Weight 0 excludes a tag.
 */
function acceptedTags(header: string): string[] {
  return header
    .split(",")
    .slice(0, maximumPreferences)
    .map((entry) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter))?.split("=")[1];
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
