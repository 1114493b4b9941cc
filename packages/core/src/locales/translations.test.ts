import { describe, expect, test } from "vitest";
import { createTranslations, placeholdersOf } from "./translations.ts";
import { en } from "./en.ts";
import { languages } from "./languages.ts";
import { en as mailTexts } from "./mails/en.ts";
import { mailLanguages } from "./mails/languages.ts";
import { translator } from "./translate.ts";

const catalogues = createTranslations();

type Texts = Readonly<Record<string, string>>;

/** What is wrong with texts, as lines to read: nothing about those that are not there. */
function faultsOf(texts: Texts, like: Texts): string[] {
  return Object.entries(texts).flatMap(([key, text]) => {
    const said = like[key];
    if (said === undefined) return [`${key} is left over`];
    if (text.trim() !== text || text === "") return [`${key} is empty, or has space around it`];
    const [expected, found] = [said, text].map((each) => placeholdersOf(each).toSorted().join(" "));
    return expected === found ? [] : [`${key} has {${found}} and not {${expected}}`];
  });
}

/** Words by which a language addresses people formally: none of them is said where they are addressed familiarly. */
const formalWords: { readonly [tag: string]: RegExp } = {
  de: /\b(Sie|Ihnen|Ihre?[mnrs]?)\b/,
  fr: /\b(vous|votre|vos)\b|[^h]ez\b/i,
  es: /\b(usted|introduzca|elija|vuelva|compruebe|pida|inicie|revise|abra|díganos)\b|ítalo\b|télo\b/i,
  it: /\b(Lei|Suo|Sua|Suoi|Sue|[Ii]nserisca|[Ss]celga|[Cc]ontrolli|[Rr]iprovi|[Tt]orni|[Aa]pra|[Aa]cceda|[Cc]hieda|[Cc]onfermi)\b/,
  nl: /\b(u|uw)\b/i,
  pl: /\bprosz[ęe]/i,
};

/** The texts of pages and those of mails, in every language. */
const everything: readonly (readonly [
  what: string,
  tag: string,
  english: Texts,
  language: { readonly texts: () => Promise<Texts>; readonly familiar?: () => Promise<Texts> },
])[] = [
  ...[...languages].map(([tag, language]) => ["pages", tag, en, language] as const),
  ...[...mailLanguages].map(([tag, language]) => ["mails", tag, mailTexts, language] as const),
];

describe.each(everything)("the %s in %s", (_, tag, like, { texts, familiar }) => {
  test("have every text and no other, with the placeholders of English", async () => {
    const found = await texts();
    expect(Object.keys(like).filter((key) => !Object.hasOwn(found, key))).toEqual([]);
    expect(faultsOf(found, like)).toEqual([]);
  });

  test("are written in the direction of their script", async () => {
    expect((await texts())["direction"]).toBe(directionOf(tag));
  });

  test.skipIf(familiar === undefined)("say familiarly what they say in other words, and nothing else", async () => {
    const formal = await texts();
    const other: Texts = (await familiar?.()) ?? {};
    expect(faultsOf(other, like)).toEqual([]);
    expect(Object.entries(other).filter(([key, text]) => formal[key] === text)).toEqual([]);
    const said: Texts = { ...formal, ...other };
    expect(Object.entries(said).filter(([, text]) => formalWords[tag]?.test(text) !== false)).toEqual([]);
    expect(Object.values(formal).some((text) => formalWords[tag]?.test(text))).toBe(true);
  });
});

test("pages and mails speak the same languages", () => {
  expect([...mailLanguages.keys()]).toEqual([...languages.keys()]);
});

test("French keeps its punctuation marks on the line of the word before", async () => {
  for (const all of [languages, mailLanguages]) {
    const french = all.get("fr");
    const said: readonly Texts[] = [(await french?.texts()) ?? {}, (await french?.familiar?.()) ?? {}];
    expect(said.flatMap((texts) => Object.values(texts)).filter((text) => / [?!:;»]|« /.test(text))).toEqual([]);
  }
});

describe("texts", () => {
  test("are filled in the language's own order, once", async () => {
    const values = { client: "{audience}", audience: "$& {client}" };
    const [german, said] = [await translator(catalogues, "de", "formal"), await translator(catalogues, "en", "formal")];
    expect(german.text("consentScopesFor", values)).toBe("{audience} möchte $& {client} nutzen und bittet um folgende Berechtigungen:");
    expect(said.pieces("identifierLead", { client: 7 })).toEqual(["to continue to ", 7, ""]);
  });

  test("of a language that is not spoken are English, and say so", async () => {
    expect(await translator(catalogues, "sv", "formal")).toMatchObject({ lang: "en", direction: "ltr" });
    const austrian = await translator(catalogues, "de-AT", "formal");
    expect(austrian.lang).toBe("de-AT");
    expect(austrian.text("passwordSubmit")).toBe("Anmelden");
  });

  test("address people as they are asked to, where the language knows two ways", async () => {
    const title = async (tag: string, form: "formal" | "familiar") => (await catalogues.texts(tag, form)).loggedOutTitle;
    expect([await title("de", "formal"), await title("de", "familiar")]).toEqual(["Sie sind abgemeldet", "Du bist abgemeldet"]);
    expect(await title("de-AT", "familiar")).toBe("Du bist abgemeldet");
    expect(await title("en", "familiar")).toBe(en.loggedOutTitle);
  });
});

describe("a host's own texts", () => {
  test("stand in place of the built-in ones, and everything else stays", async () => {
    const own = createTranslations({ de: { passwordSubmit: "Los geht’s" }, en: { loggedOutTitle: "Goodbye" } });
    const german = await translator(own, "de", "formal");
    expect(german.text("passwordSubmit")).toBe("Los geht’s");
    expect(german.text("passwordTitle")).toBe("Passwort eingeben");
    const familiar = await translator(own, "de", "familiar");
    expect([familiar.text("passwordSubmit"), familiar.text("loggedOutTitle")]).toEqual(["Los geht’s", "Du bist abgemeldet"]);
    expect((await translator(own, "en", "formal")).text("loggedOutTitle")).toBe("Goodbye");
    expect((await translator(own, "sv", "formal")).text("loggedOutTitle"), "English is what nobody's language is").toBe("Goodbye");
    expect((await translator(catalogues, "en", "formal")).text("loggedOutTitle")).toBe(en.loggedOutTitle);
  });

  test("bring a language of their own, and a region's; what they leave out is English, or the language's", async () => {
    const own = createTranslations({ fa: { direction: "rtl", passwordSubmit: "ورود" }, "de-AT": { passwordSubmit: "Servus" } });
    const persian = await translator(own, "fa", "formal");
    expect(persian).toMatchObject({ lang: "fa", direction: "rtl" });
    expect(persian.text("passwordSubmit")).toBe("ورود");
    expect(persian.text("passwordTitle")).toBe(en.passwordTitle);
    const austrian = await translator(own, "de-AT", "formal");
    expect(austrian.text("passwordSubmit")).toBe("Servus");
    expect(austrian.text("passwordTitle")).toBe("Passwort eingeben");
    expect((await translator(own, "de-CH", "formal")).text("passwordSubmit")).toBe("Anmelden");
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
    expect(() => createTranslations(texts as Parameters<typeof createTranslations>[0])).toThrow(message);
  });
});

/** What a runtime knows of scripts: a method in newer ones, an accessor in older ones. TypeScript knows neither. */
interface ScriptLocale {
  readonly textInfo?: { readonly direction: string };
  getTextInfo?(): { readonly direction: string };
}

function directionOf(tag: string): string | undefined {
  const locale = Object(new Intl.Locale(tag)) as ScriptLocale;
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction;
}
