import { describe, expect, test } from "vitest";
import { createTranslations, placeholdersOf } from "./translations.ts";
import { en } from "./en.ts";
import { languages } from "./languages.ts";
import { enMails as mailTexts } from "./mails/en.ts";
import { mailLanguages } from "./mails/languages.ts";
import { translator } from "./translate.ts";

const catalogues = createTranslations();

type Texts = Readonly<Record<string, string>>;

/** Returns a line for each problem with the texts in a language. Does not report missing texts. */
function faultsOf(texts: Texts, like: Texts): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const english = like[key];
    if (english === undefined) return [`${key} is left over`];
    if (text.trim() !== text || text === "") return [`${key} is empty, or has space around it`];
    const [expected, found] = [english, text].map((each) => placeholdersOf(each).toSorted().join(" "));
    return expected === found ? [] : [`${key} has {${found}} and not {${expected}}`];
  });
}

/** Words that only occur with the formal form of address. Familiar texts must not contain them. */
const formalWords: { readonly [tag: string]: RegExp } = {
  de: /\b(Sie|Ihnen|Ihre?[mnrs]?)\b/,
  fr: /\b(vous|votre|vos)\b|[^h]ez\b/i,
  es: /\b(usted|introduzca|elija|vuelva|compruebe|pida|inicie|revise|abra|díganos)\b|ítalo\b|télo\b/i,
  it: /\b(Lei|Suo|Sua|Suoi|Sue|[Ii]nserisca|[Ss]celga|[Cc]ontrolli|[Rr]iprovi|[Tt]orni|[Aa]pra|[Aa]cceda|[Cc]hieda|[Cc]onfermi)\b/,
  nl: /\b(u|uw)\b/i,
  pl: /\bprosz[ęe]/i,
};

/** The texts for pages and the texts for mails, in every language. */
const everything: readonly (readonly [
  what: string,
  tag: string,
  english: Texts,
  language: { readonly texts: () => Promise<Texts>; readonly familiar?: () => Promise<Texts> },
])[] = [
  ...[...languages].map(([tag, language]) => ["pages", tag, en, language] as const),
  ...[...mailLanguages].map(([tag, language]) => ["mails", tag, mailTexts, language] as const),
];

describe.each(everything)("the texts for %s in %s", (_, tag, like, { texts, familiar }) => {
  test("have exactly the names and placeholders of the English texts", async () => {
    const found = await texts();
    expect(Object.keys(like).filter((key) => !Object.hasOwn(found, key))).toEqual([]);
    expect(faultsOf(found, like)).toEqual([]);
  });

  test("have the direction of their script", async () => {
    expect((await texts())["direction"]).toBe(directionOf(tag));
  });

  test.skipIf(familiar === undefined)("have a familiar text only if it differs from the formal one", async () => {
    const formal = await texts();
    const other: Texts = (await familiar?.()) ?? {};
    expect(faultsOf(other, like)).toEqual([]);
    expect(Object.entries(other).filter(([key, text]) => formal[key] === text)).toEqual([]);
    const merged: Texts = { ...formal, ...other };
    expect(Object.entries(merged).filter(([, text]) => formalWords[tag]?.test(text) !== false)).toEqual([]);
    expect(Object.values(formal).some((text) => formalWords[tag]?.test(text))).toBe(true);
  });
});

test("pages and mails have the same languages", () => {
  expect([...mailLanguages.keys()]).toEqual([...languages.keys()]);
});

test("French texts do not allow a line break before a punctuation mark", async () => {
  for (const all of [languages, mailLanguages]) {
    const language = all.get("fr");
    const french: readonly Texts[] = [(await language?.texts()) ?? {}, (await language?.familiar?.()) ?? {}];
    expect(french.flatMap((texts) => Object.values(texts)).filter((text) => / [?!:;»]|« /.test(text))).toEqual([]);
  }
});

describe("the translator", () => {
  test("fills in each placeholder once, in the word order of the language", async () => {
    const values = { client: "{audience}", audience: "$& {client}" };
    const [german, english] = [await translator(catalogues, "de", "formal"), await translator(catalogues, "en", "formal")];
    expect(german.text("consentScopesFor", values)).toBe("{audience} möchte $& {client} nutzen und bittet um folgende Berechtigungen:");
    expect(english.pieces("identifierLead", { client: 7 })).toEqual(["to continue to ", 7, ""]);
  });

  test("returns English with the tag 'en' for an unknown language", async () => {
    expect(await translator(catalogues, "sv", "formal")).toMatchObject({ lang: "en", direction: "ltr" });
    const austrian = await translator(catalogues, "de-AT", "formal");
    expect(austrian.lang).toBe("de-AT");
    expect(austrian.text("passwordSubmit")).toBe("Anmelden");
  });

  test("uses the given form of address if the language has two", async () => {
    const title = async (tag: string, form: "formal" | "familiar") => (await catalogues.texts(tag, form)).loggedOutTitle;
    expect([await title("de", "formal"), await title("de", "familiar")]).toEqual(["Sie sind abgemeldet", "Du bist abgemeldet"]);
    expect(await title("de-AT", "familiar")).toBe("Du bist abgemeldet");
    expect(await title("en", "familiar")).toBe(en.loggedOutTitle);
  });
});

describe("custom texts of the host", () => {
  test("replace only the built-in texts with the same names", async () => {
    const custom = createTranslations({ de: { passwordSubmit: "Los geht’s" }, en: { loggedOutTitle: "Goodbye" } });
    const german = await translator(custom, "de", "formal");
    expect(german.text("passwordSubmit")).toBe("Los geht’s");
    expect(german.text("passwordTitle")).toBe("Passwort eingeben");
    const familiar = await translator(custom, "de", "familiar");
    expect([familiar.text("passwordSubmit"), familiar.text("loggedOutTitle")]).toEqual(["Los geht’s", "Du bist abgemeldet"]);
    expect((await translator(custom, "en", "formal")).text("loggedOutTitle")).toBe("Goodbye");
    expect((await translator(custom, "sv", "formal")).text("loggedOutTitle"), "English is the fallback language").toBe("Goodbye");
    expect((await translator(catalogues, "en", "formal")).text("loggedOutTitle")).toBe(en.loggedOutTitle);
  });

  test("can add a language or a region, whose missing texts fall back to the language or to English", async () => {
    const custom = createTranslations({ fa: { direction: "rtl", passwordSubmit: "ورود" }, "de-AT": { passwordSubmit: "Servus" } });
    const persian = await translator(custom, "fa", "formal");
    expect(persian).toMatchObject({ lang: "fa", direction: "rtl" });
    expect(persian.text("passwordSubmit")).toBe("ورود");
    expect(persian.text("passwordTitle")).toBe(en.passwordTitle);
    const austrian = await translator(custom, "de-AT", "formal");
    expect(austrian.text("passwordSubmit")).toBe("Servus");
    expect(austrian.text("passwordTitle")).toBe("Passwort eingeben");
    expect((await translator(custom, "de-CH", "formal")).text("passwordSubmit")).toBe("Anmelden");
  });

  test.each([
    ["an invalid tag", { deutsch_: {} }, "texts.deutsch_: 'deutsch_' is not a language tag"],
    ["a tag that is not in canonical case", { DE: {} }, "texts.DE"],
    ["an inherited property of objects", { constructor: {} }, "texts.constructor"],
    ["an unknown text", { en: { passwordTitel: "x" } }, "texts.en.passwordTitel: no page has a text of this name"],
    ["an empty text", { en: { passwordTitle: " " } }, "texts.en.passwordTitle is empty"],
    ["a text that is not a string", { en: { passwordTitle: 7 } }, "texts.en.passwordTitle is empty"],
    ["an invalid direction", { ar: { direction: "up" } }, "texts.ar.direction must be"],
    [
      "an unknown placeholder",
      { en: { identifierLead: "to {app}" } },
      "texts.en.identifierLead: {app} means nothing here; known is {client}",
    ],
    [
      "a placeholder in a text without placeholders",
      { en: { passwordTitle: "{user}" } },
      "texts.en.passwordTitle: {user} means nothing here",
    ],
  ])("are rejected with %s", (_, texts, message) => {
    expect(() => createTranslations(texts as Parameters<typeof createTranslations>[0])).toThrow(message);
  });
});

/**
 * The text direction of a locale. Newer runtimes return it from a method, older ones from an accessor. TypeScript has
 * types for neither.
 */
interface ScriptLocale {
  readonly textInfo?: { readonly direction: string };
  getTextInfo?(): { readonly direction: string };
}

function directionOf(tag: string): string | undefined {
  const locale = Object(new Intl.Locale(tag)) as ScriptLocale;
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction;
}
