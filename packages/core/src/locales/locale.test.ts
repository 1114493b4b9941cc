import { describe, expect, test } from "vitest";
import { en } from "./en.ts";
import { chooseLocale } from "./locale.ts";
import { builtIn, placeholdersOf, withTexts } from "./catalogues.ts";
import { translator } from "./translate.ts";

describe("the language of a page", () => {
  const both = ["en", "de"];
  const spoken = builtIn;

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
    expect(chooseLocale({ acceptLanguage, enabled, spoken })).toBe(chosen);
  });

  test("is the client's wish before the browser's", () => {
    expect(chooseLocale({ uiLocales: "fr-CA de-DE en", acceptLanguage: "en", enabled: both, spoken })).toBe("de");
    expect(chooseLocale({ uiLocales: "fr", acceptLanguage: "de", enabled: both, spoken })).toBe("de");
  });

  test("does not take long to choose among very many wishes", () => {
    const many = "xx-yy-zz,".repeat(20_000);
    expect(chooseLocale({ uiLocales: many.replaceAll(",", " "), acceptLanguage: many, enabled: both, spoken })).toBe("en");
  });
});

describe("texts", () => {
  test.each(Object.entries(builtIn))("%s has every text, with the same placeholders as English", (_, messages) => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [key, text] of Object.entries(messages)) {
      expect(text.trim(), key).not.toBe("");
      const english = Object.entries(en).find(([name]) => name === key)?.[1] ?? "";
      expect(placeholdersOf(text).toSorted(), key).toEqual(placeholdersOf(english).toSorted());
    }
  });

  test("are filled in the language's own order, once", () => {
    const values = { client: "{audience}", audience: "$& {client}" };
    expect(translator(builtIn, "de").text("consentScopesFor", values)).toBe("{audience} bittet um die Erlaubnis, $& {client} zu nutzen:");
    expect(translator(builtIn, "en").pieces("identifierLead", { client: 7 })).toEqual(["to continue to ", 7, ""]);
  });

  test("of a language that is not spoken are English, and say so", () => {
    expect(translator(builtIn, "fr")).toMatchObject({ lang: "en", direction: "ltr" });
    expect(translator(builtIn, "de-AT").lang).toBe("de-AT");
    expect(translator(builtIn, "de-AT").text("passwordSubmit")).toBe("Anmelden");
  });
});

describe("a host's own texts", () => {
  test("stand in place of the built-in ones, and everything else stays", () => {
    const texts = withTexts({ de: { passwordSubmit: "Los geht’s" }, en: { loggedOutTitle: "Goodbye" } });
    expect(translator(texts, "de").text("passwordSubmit")).toBe("Los geht’s");
    expect(translator(texts, "de").text("passwordTitle")).toBe(builtIn["de"]?.passwordTitle);
    expect(translator(texts, "en").text("loggedOutTitle")).toBe("Goodbye");
    expect(translator(texts, "fr").text("loggedOutTitle"), "English is what nobody's language is").toBe("Goodbye");
    expect(builtIn["en"]?.loggedOutTitle).toBe(en.loggedOutTitle);
  });

  test("bring a language of their own, and a region's; what they leave out is English, or the language's", () => {
    const texts = withTexts({ ar: { direction: "rtl", passwordSubmit: "تسجيل الدخول" }, "de-AT": { passwordSubmit: "Servus" } });
    expect(translator(texts, "ar")).toMatchObject({ lang: "ar", direction: "rtl" });
    expect(translator(texts, "ar").text("passwordSubmit")).toBe("تسجيل الدخول");
    expect(translator(texts, "ar").text("passwordTitle")).toBe(en.passwordTitle);
    expect(translator(texts, "de-AT").text("passwordSubmit")).toBe("Servus");
    expect(translator(texts, "de-AT").text("passwordTitle")).toBe(builtIn["de"]?.passwordTitle);
    const wishes = { uiLocales: "ar-EG", acceptLanguage: "de", enabled: ["en", "ar"] };
    expect(chooseLocale({ ...wishes, spoken: texts })).toBe("ar");
    expect(chooseLocale({ ...wishes, spoken: builtIn })).toBe("en");
  });

  test.each([
    ["a tag that is none", { deutsch_: {} }, "texts.deutsch_: 'deutsch_' is not a language tag"],
    ["a tag in other letters", { DE: {} }, "texts.DE"],
    ["a name of objects", { constructor: {} }, "texts.constructor"],
    ["an unknown text", { en: { passwordTitel: "x" } }, "texts.en.passwordTitel: no page has a text of this name"],
    ["an empty text", { en: { passwordTitle: " " } }, "texts.en.passwordTitle is empty"],
    ["no text", { en: { passwordTitle: 7 } }, "texts.en.passwordTitle is empty"],
    ["a direction that is none", { ar: { direction: "up" } }, "texts.ar.direction must be"],
    ["an unknown name", { en: { identifierLead: "to {app}" } }, "texts.en.identifierLead: {app} means nothing here; known is {client}"],
    ["a name where there is none", { en: { passwordTitle: "{user}" } }, "texts.en.passwordTitle: {user} means nothing here"],
  ])("are refused with %s", (_, texts, message) => {
    expect(() => withTexts(texts as Parameters<typeof withTexts>[0])).toThrow(message);
  });
});
