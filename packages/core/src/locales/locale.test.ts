import { describe, expect, test } from "vitest";
import { chooseLocale } from "./locale.ts";
import { createTranslations } from "./translations.ts";

describe("the language of a page", () => {
  const both = ["en", "de"];
  const spoken = createTranslations();

  test.each([
    ["the browser's first wish", "de", both, "de"],
    ["a region's language where the region is not spoken", "de-CH-1996", both, "de"],
    ["the wish with the greatest weight", "en;q=0.3, de;q=0.9", both, "de"],
    ["those of one weight in their order", "fr, de, en", both, "de"],
    ["any case", "DE-at", both, "de"],
    ["never what is refused", "de;q=0, en;q=0.1", both, "en"],
    ["another region of the language", "de-CH", ["en", "de-AT"], "de-AT"],
    ["the very region before the language", "de-AT", ["de", "de-AT"], "de-AT"],
    ["only what the tenant enables", "de", ["en"], "en"],
    ["only what the pages speak", "xx", ["en", "xx"], "en"],
    ["the tenant's first where nobody wishes", "", ["de", "en"], "de"],
    ["the tenant's first for any language", "*", ["de", "en"], "de"],
    ["the tenant's first where no wish can be met", "fr, ja;q=0.5", ["de", "en"], "de"],
    ["English where nothing that is enabled is spoken", "sv", ["sv"], "en"],
    ["English for nonsense", ";;q=,=,\u0000-;q=x", both, "en"],
    ["no name that objects have anyway", "constructor, __proto__, toString", ["en", "constructor"], "en"],
  ])("is %s", (_, acceptLanguage, enabled, chosen) => {
    expect(chooseLocale({ acceptLanguage, enabled, spoken })).toBe(chosen);
  });

  test("is the client's wish before the browser's", () => {
    expect(chooseLocale({ uiLocales: "fr-CA de-DE en", acceptLanguage: "en", enabled: both, spoken })).toBe("de");
    expect(chooseLocale({ uiLocales: "fr", acceptLanguage: "de", enabled: both, spoken })).toBe("de");
  });

  test("may be one that a host brings", () => {
    const wishes = { uiLocales: "sv-FI", acceptLanguage: "de", enabled: ["en", "sv"] };
    expect(chooseLocale({ ...wishes, spoken: createTranslations({ sv: { passwordSubmit: "Logga in" } }) })).toBe("sv");
    expect(chooseLocale({ ...wishes, spoken })).toBe("en");
  });

  test("does not take long to choose among very many wishes", () => {
    const many = "xx-yy-zz,".repeat(20_000);
    expect(chooseLocale({ uiLocales: many.replaceAll(",", " "), acceptLanguage: many, enabled: both, spoken })).toBe("en");
  });
});
