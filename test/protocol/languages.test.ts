import { beforeAll, describe, expect, test } from "vitest";
import { createPostern } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { sendAuthorization, loginState, openService, type LoginService } from "../support/flow.ts";

const swedish = { identifierTitle: "Logga in", errorTitle: "Det går inte att fortsätta", formPostTitle: "Tillbaka till appen" };

let service: LoginService;
beforeAll(async () => {
  service = await openService({ texts: { sv: swedish, de: { identifierTitle: "Willkommen" } } });
});

/** The language and the heading of a page. */
async function languageOf(response: Response): Promise<readonly [string | undefined, string | undefined]> {
  const html = await response.text();
  return [/<html lang="([^"]*)"/.exec(html)?.[1], /<h1>([^<]*)<\/h1>/.exec(html)?.[1]];
}

async function loginPage(acceptLanguage: string, uiLocales?: string): Promise<readonly [string | undefined, string | undefined]> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web, { ui_locales: uiLocales }));
  return languageOf(await browser.get(`/u/login?${new URLSearchParams({ state })}`, { headers: { "accept-language": acceptLanguage } }));
}

describe("the language of the pages", () => {
  test.each([
    ["the browser's", "de", undefined, "de"],
    ["the browser's language without its region", "de-AT, en;q=0.5", undefined, "de"],
    ["the client's before the browser's", "en", "de-CH en", "de"],
    ["the browser's if none of the client's is supported", "de", "sv fi", "de"],
    ["the tenant's first language otherwise", "fi", undefined, "en"],
  ])("is %s", async (_, acceptLanguage, uiLocales, lang) => {
    expect(await loginPage(acceptLanguage, uiLocales)).toEqual([lang, lang === "de" ? "Willkommen" : "Sign in"]);
  });

  test.each([
    ["ar", "rtl", "تسجيل الدخول"],
    ["he-IL", "rtl", "התחברות"],
    ["ja", "ltr", "ログイン"],
    ["pt-BR", "ltr", "Entrar"],
  ])("sets the text direction of %s to %s", async (requestedClaim, direction, title) => {
    const browser = service.browser();
    const state = loginState(await sendAuthorization(browser, service.web, { ui_locales: requestedClaim }));
    const page = await (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
    expect(page).toContain(`<html lang="${requestedClaim.slice(0, 2)}" dir="${direction}">`);
    expect(page).toContain(`<h1>${title}</h1>`);
  });

  test("is one of the languages in discovery", async () => {
    const { body } = await service.call("GET", "/.well-known/openid-configuration");
    expect(body).toMatchObject({ ui_locales_supported: ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "ar", "he"] });
  });

  test("can be a language that the host adds, once the tenant enables it", async () => {
    expect(await loginPage("sv-FI")).toEqual(["en", "Sign in"]);
    await service.manage("PATCH", "/api/v2/tenants/settings", { enabled_locales: ["en", "de", "sv"] });
    service.clock.advance("6s");
    expect(await loginPage("sv-FI")).toEqual(["sv", "Logga in"]);
    const headers = { "accept-language": "sv" };
    expect(await languageOf(await service.browser().get("/authorize?client_id=unknown", { headers }))).toEqual([
      "sv",
      "Det går inte att fortsätta",
    ]);
    const requested = { client_id: service.web.clientId, response_type: "code", response_mode: "form_post", prompt: "none" };
    for (const more of [{}, { ui_locales: "de" }]) {
      const posted = await service.browser().get(`/authorize?${new URLSearchParams({ ...requested, ...more })}`, { headers });
      expect(await languageOf(posted)).toEqual("ui_locales" in more ? ["de", "Zurück zur App"] : ["sv", "Tillbaka till appen"]);
    }
    expect((await languageOf(await service.browser().get("/oidc/logout?ui_locales=de", { headers })))[1]).toBe("Sie sind abgemeldet");
    expect((await languageOf(await service.browser().get("/v2/logout", { headers })))[0]).toBe("sv");
  });
});

test("the tenant's setting for formal or informal address applies from the next page", async () => {
  const headers = { "accept-language": "de" };
  const goodbye = async () => (await languageOf(await service.browser().get("/v2/logout", { headers })))[1];
  expect(await goodbye()).toBe("Sie sind abgemeldet");
  await service.manage("PATCH", "/api/v2/tenants/settings", { form_of_address: "familiar" });
  service.clock.advance("6s");
  expect(await goodbye()).toBe("Du bist abgemeldet");
  await service.manage("PATCH", "/api/v2/tenants/settings", { form_of_address: "formal" });
  service.clock.advance("6s");
  expect(await goodbye()).toBe("Sie sind abgemeldet");
});

test("createPostern throws for a text with a name that no page uses", () => {
  const make = (texts: object) =>
    createPostern({
      issuer: "https://id.example.test/",
      data: createMemoryAdapter(),
      crypto: { secret: "0123456789abcdef0123456789abcdef" },
      texts: { ...texts },
    });
  expect(() => make({ en: { identifierTitel: "x" } })).toThrow("texts.en.identifierTitel: no page has a text of this name");
  expect(() => make({ sv: swedish })).not.toThrow();
});
