import { beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../support/api.ts";
import { sendAuthorization, loginState, openService, type LoginService } from "../support/flow.ts";

let service: LoginService;
beforeEach(async () => {
  service = await openService();
  await service.manage("PATCH", `/api/v2/clients/${service.web.clientId}`, { name: "Web" });
  await service.manage("PATCH", "/api/v2/tenants/settings", { friendly_name: "Harbour" });
});

const put = async (prompt: string, language: string, texts: object, screen = prompt): Promise<void> => {
  const answer = await service.manage("PUT", `/api/v2/prompts/${prompt}/custom-text/${language}`, { [screen]: texts });
  expect(answer).toMatchObject({ status: 200, body: { [screen]: texts } });
};

/** Returns the HTML of the first login page, in the given language. */
async function loginPage(language = "en"): Promise<string> {
  const browser = service.browser();
  const state = loginState(await sendAuthorization(browser, service.web));
  const page = await browser.get(`/u/login?${new URLSearchParams({ state })}`, { headers: { "accept-language": language } });
  return page.text();
}

const heading = (html: string): string | undefined => /<h1>(.*?)<\/h1>/.exec(html)?.[1];
const title = (html: string): string | undefined => /<title>(.*?)<\/title>/.exec(html)?.[1];
const lead = (html: string): string | undefined => /<p class="lead">(.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "");

describe("custom texts", () => {
  test("appear on the next page, and disappear when they are deleted", async () => {
    expect(heading(await loginPage())).toBe("Sign in");
    await put("login-id", "en", {
      title: "Come aboard",
      pageTitle: "${clientName} | ${companyName}",
      description: "${companyName} takes you to ${clientName}.",
    });
    const page = await loginPage();
    expect(heading(page)).toBe("Come aboard");
    expect(title(page)).toBe("Web | Harbour");
    expect(lead(page)).toBe("Harbour takes you to Web.");
    await put("login-id", "en", { title: "Hello" });
    expect([heading(await loginPage()), lead(await loginPage())]).toEqual(["Hello", "to continue to Web"]);
    await service.manage("PUT", "/api/v2/prompts/login-id/custom-text/en", {});
    expect(heading(await loginPage())).toBe("Sign in");
  });

  test("appear on the pages of another process within five seconds", async () => {
    expect(heading(await loginPage())).toBe("Sign in");
    const texts = { "login-id": { title: "Elsewhere" } };
    // Writes the texts as another process does, without an update of the cache in this process.
    const { custom_texts } = service.data.collections;
    await custom_texts.insert([{ tenant_id: "main", language: "en", prompt: "login-id", texts, updated_at: 0 }]);
    service.clock.advance("6s");
    expect(heading(await loginPage())).toBe("Elsewhere");
  });

  test("depend on the page's language, and a region takes precedence over its language", async () => {
    await put("login-id", "en", { title: "Hello" });
    await put("login-id", "pt", { title: "Olá", buttonText: "Seguir" });
    await put("login-id", "pt-BR", { title: "Oi" });
    await service.manage("PATCH", "/api/v2/tenants/settings", { enabled_locales: ["en", "de", "pt-BR"] });
    expect(heading(await loginPage("en"))).toBe("Hello");
    expect(heading(await loginPage("de"))).toBe("Anmelden");
    const brazilian = await loginPage("pt-BR");
    expect(heading(brazilian)).toBe("Oi");
    expect(brazilian).toContain("Seguir</button>");
  });

  test("apply only to the tenant that set them", async () => {
    await put("login-id", "en", { title: "Hello" });
    const { manage } = service;
    expect(await manage("GET", "/api/v2/prompts/login-id/custom-text/en")).toMatchObject({ body: { "login-id": { title: "Hello" } } });
    const texts = { "login-id": { title: "Theirs" } };
    await service.data.collections.custom_texts.insert([{ tenant_id: "other", language: "en", prompt: "login-id", texts, updated_at: 0 }]);
    service.clock.advance("6s");
    expect(heading(await loginPage())).toBe("Hello");
  });

  test("are escaped on the page", async () => {
    const evil = `</title><script>alert(1)</script>"'&amp; {tenant} {client}`;
    await put("login-id", "en", {
      title: evil,
      pageTitle: evil,
      description: evil,
      buttonText: evil,
      emailPlaceholder: evil,
      "no-email": evil,
    });
    const page = await loginPage();
    expect(page).not.toContain("<script>alert");
    expect(heading(page)).toBe(`&lt;/title>&lt;script>alert(1)&lt;/script>&quot;'&amp;amp; {tenant} {client}`);
  });

  test("are replaced by the default text if the page has no value for a placeholder", async () => {
    await put("logout", "en", { title: "Leave ${clientName}?" });
    const goodbye = await service.browser().get("/oidc/logout");
    expect(heading(await goodbye.text())).not.toContain("Leave");
  });

  test("are rejected if they contain a placeholder that the page does not support", async () => {
    const body = { "login-id": { title: "Hello ${user.name}" } };
    expectError(
      await service.manage("PUT", "/api/v2/prompts/login-id/custom-text/en", body),
      400,
      "invalid_request",
      /'login-id.title': \$\{user.name\} is not available here; use \$\{clientName\}, \$\{companyName\}/,
    );
    expect(heading(await loginPage())).toBe("Sign in");
  });
});
