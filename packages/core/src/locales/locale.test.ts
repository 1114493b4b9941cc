import { describe, expect, test } from "vitest";
import { chooseLocale } from "./locale.ts";
import { createTranslations } from "./translations.ts";

describe("chooseLocale", () => {
  const both = ["en", "de"];
  const available = createTranslations();

  test.each([
    ["the browser's first preference", "de", both, "de"],
    ["the language of a region that has no texts", "de-CH-1996", both, "de"],
    ["the preference with the greatest weight", "en;q=0.3, de;q=0.9", both, "de"],
    ["preferences of equal weight in order", "fr, de, en", both, "de"],
    ["a language, ignoring case", "DE-at", both, "de"],
    ["no language with weight 0", "de;q=0, en;q=0.1", both, "en"],
    ["another region of the language", "de-CH", ["en", "de-AT"], "de-AT"],
    ["a region before its language", "de-AT", ["de", "de-AT"], "de-AT"],
    ["only an enabled language", "de", ["en"], "en"],
    ["only a language that has texts", "xx", ["en", "xx"], "en"],
    ["the tenant's first language without a preference", "", ["de", "en"], "de"],
    ["the tenant's first language for a wildcard", "*", ["de", "en"], "de"],
    ["the tenant's first language if no preference is available", "fr, ja;q=0.5", ["de", "en"], "de"],
    ["English if no enabled language has texts", "sv", ["sv"], "en"],
    ["English for an invalid header", ";;q=,=,\u0000-;q=x", both, "en"],
    ["no inherited property of an object", "constructor, __proto__, toString", ["en", "constructor"], "en"],
  ])("chooses %s", (_, acceptLanguage, enabled, chosen) => {
    expect(chooseLocale({ acceptLanguage, enabled, available })).toBe(chosen);
  });

  test("prefers ui_locales to Accept-Language", () => {
    expect(chooseLocale({ uiLocales: "fr-CA de-DE en", acceptLanguage: "en", enabled: both, available })).toBe("de");
    expect(chooseLocale({ uiLocales: "fr", acceptLanguage: "de", enabled: both, available })).toBe("de");
  });

  test("can choose a language that the host adds", () => {
    const preferences = { uiLocales: "sv-FI", acceptLanguage: "de", enabled: ["en", "sv"] };
    expect(chooseLocale({ ...preferences, available: createTranslations({ sv: { passwordSubmit: "Logga in" } }) })).toBe("sv");
    expect(chooseLocale({ ...preferences, available })).toBe("en");
  });

  test("reads only a limited number of preferences", () => {
    const many = "xx-yy-zz,".repeat(20_000);
    expect(chooseLocale({ uiLocales: many.replaceAll(",", " "), acceptLanguage: many, enabled: both, available })).toBe("en");
  });
});
