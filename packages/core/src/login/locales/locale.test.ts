import { describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { chooseLocale } from "./locale.ts";
import { catalogues, translator } from "./translate.ts";

describe("the language of a page", () => {
  const both = ["en", "de"];

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
    ["English where nothing that is enabled is spoken", "fr", ["fr"], "en"],
    ["English for nonsense", ";;q=,=,\u0000-;q=x", both, "en"],
    ["no name that objects have anyway", "constructor, __proto__, toString", ["en", "constructor"], "en"],
  ])("is %s", (_, acceptLanguage, enabled, chosen) => {
    expect(chooseLocale({ acceptLanguage, enabled })).toBe(chosen);
  });

  test("is the client's wish before the browser's", () => {
    expect(chooseLocale({ uiLocales: "fr-CA de-DE en", acceptLanguage: "en", enabled: both })).toBe("de");
    expect(chooseLocale({ uiLocales: "fr", acceptLanguage: "de", enabled: both })).toBe("de");
  });

  test("does not take long to choose among very many wishes", () => {
    const many = "xx-yy-zz,".repeat(20_000);
    expect(chooseLocale({ uiLocales: many.replaceAll(",", " "), acceptLanguage: many, enabled: both })).toBe("en");
  });
});

describe("texts", () => {
  const names = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).toSorted();

  test.each(Object.entries(catalogues))("%s has every text, with the same placeholders as English", (_, messages) => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(messages)) {
      expect(text.trim(), key).not.toBe("");
      expect(names(text), key).toEqual(names(Object.entries(en).find(([name]) => name === key)?.[1] ?? ""));
    }
  });

  test("are filled in the language's own order, once", () => {
    const values = { client: "{audience}", audience: "$& {client}" };
    expect(translator("de").text("consentScopesFor", values)).toBe("{audience} bittet um die Erlaubnis, $& {client} zu nutzen:");
    expect(translator("en").pieces("identifierLead", { client: 7 })).toEqual(["to continue to ", 7, ""]);
  });

  test("of a language that is not spoken are English, and say so", () => {
    expect(translator("fr")).toMatchObject({ lang: "en", direction: "ltr" });
    expect(translator("de-AT").lang).toBe("de-AT");
    expect(translator("de-AT").text("passwordSubmit")).toBe("Anmelden");
  });
});
