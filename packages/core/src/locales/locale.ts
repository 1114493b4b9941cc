import type { Translations } from "./translations.ts";

/** The language preferences in a request, and the languages to choose from. */
interface LocalePreferences {
  /**
   * `ui_locales` (OpenID Connect): space-separated tags, best first. They take precedence over the browser's languages.
   */
  readonly uiLocales?: string;
  /** The browser's `Accept-Language`. */
  readonly acceptLanguage: string;
  /** The languages that the tenant has enabled. Its default language is the first one. */
  readonly enabled: readonly string[];
  /** The languages in which texts are available. */
  readonly available: Pick<Translations, "hasLanguage">;
}

/** The maximum number of preferences that are considered. */
const maximumPreferences = 20;

/**
 * Chooses a language that the tenant has enabled and in which texts are available. For each preference, tries the tag,
 * then the tag without its last part and so on (RFC 4647 lookup), then another region with the same language. Returns
 * the tenant's first such language if no preference matches, or English if the tenant has none.
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

/** Returns the languages that the tenant has enabled and in which texts are available, or English if there is none. */
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
 * Returns the tags in an `Accept-Language` header, ordered by weight. Tags with equal weights keep their order, and
 * tags with the weight 0 are omitted.
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
