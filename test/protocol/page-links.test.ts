import { beforeAll, describe, expect, test } from "vitest";
import { sendAuthorization, login, loginState, openService, type App, type LoginService } from "../support/flow.ts";

/** Links on pages apart from their main action. */
let service: LoginService;
let app: App;

beforeAll(async () => {
  service = await openService();
  app = await service.register({
    initiate_login_uri: "https://app.example.test/login",
    tos_uri: "https://app.example.test/terms",
    policy_uri: "https://app.example.test/privacy",
  });
});

async function updateTenantSettings(settings: object): Promise<void> {
  expect(await service.manage("PATCH", "/api/v2/tenants/settings", settings)).toMatchObject({ status: 200 });
  service.clock.advance("6s");
}

async function loginPage(requested = {}, browser = service.browser()): Promise<string> {
  const state = loginState(await sendAuthorization(browser, app, requested));
  return (await browser.get(`/u/login?${new URLSearchParams({ state })}`)).text();
}

function footerOf(html: string): string[] {
  const [footer = ""] = /<footer>.*<\/footer>/s.exec(html) ?? [];
  return [...footer.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href);
}

test("links to the tenant's support and the client's terms and privacy policy in the footer, also on error pages", async () => {
  const own = ["https://app.example.test/terms", "https://app.example.test/privacy"];
  expect(footerOf(await loginPage())).toEqual(own);
  await updateTenantSettings({ support_email: "help+1@example.test" });
  expect(footerOf(await loginPage())).toEqual(["mailto:help%2B1@example.test", ...own]);
  await updateTenantSettings({ support_url: "https://help.example.test/" });
  expect(footerOf(await loginPage())).toEqual(["https://help.example.test/", ...own]);
  expect(footerOf(await (await service.browser().get("/u/login")).text())).toEqual(["https://help.example.test/"]);
  await updateTenantSettings({ support_url: "", support_email: "" });
  expect(footerOf(await (await service.browser().get("/u/login")).text())).toEqual([]);
});

test("shows the user who is about to sign out and lets them stay, and links to the app after the logout", async () => {
  const browser = service.browser();
  await login(browser, app, service.ada);
  const requested = await browser.get(`/oidc/logout?${new URLSearchParams({ client_id: app.clientId })}`);
  const html = await requested.text();
  expect(html).toContain(service.ada.email);
  expect(html).toContain('<a class="button second" href="https://app.example.test/login">Stay signed in</a>');
  const out = await service.browser().get(`/oidc/logout?${new URLSearchParams({ client_id: app.clientId })}`);
  expect(await out.text()).toContain('<a class="button main" href="https://app.example.test/login">');
});

test("prompts a user who must authenticate again to confirm their identity, unless another user is requested", async () => {
  const browser = service.browser();
  expect(await loginPage({ prompt: "login" }, browser)).toContain("<h1>Sign in</h1>");
  await login(browser, app, service.ada);
  expect(await loginPage({ prompt: "login" }, browser)).toContain("<h1>Confirm that it’s you</h1>");
});

test("shows the host name of a tenant without a friendly name, and never its id", async () => {
  const html = await loginPage();
  expect(html).toContain("<title>Sign in · id.example.test</title>");
  await updateTenantSettings({ friendly_name: "Harbour" });
  expect(await loginPage()).toContain("<title>Sign in · Harbour</title>");
  await updateTenantSettings({ friendly_name: "main" });
});

describe("an unknown URL", () => {
  const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const get = (path: string, accept: string, method = "GET") =>
    service.postern.fetch(new Request(`https://id.example.test${path}`, { method, headers: { accept, "accept-language": "de" } }));

  test.each(["/", "/wp-admin", "/favicon.ico", "/oauth/nothing", "/u/nothing"])("returns a page to a browser: %s", async (path) => {
    const response = await get(path, html);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain('<html lang="de"');
  });

  test.each([
    ["/wp-admin", "application/json", "GET"],
    ["/wp-admin", "*/*", "GET"],
    ["/wp-admin", "application/json, text/html;q=0.5", "GET"],
    ["/wp-admin", html, "POST"],
    ["/api/v2/nothing", html, "GET"],
    ["/api/v3", "", "GET"],
    ["/oauth/token", html, "GET"],
    ["/.well-known/jwks.json", html, "POST"],
  ])("returns JSON to a program, like every other error: %s for %s by %s", async (path, accept, method) => {
    const response = await get(path, accept, method);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get("content-type")).toContain("application/json");
  });
});

test("shows the error page in the language of ui_locales, before the browser's language", async () => {
  const lang = async (path: string, more?: RequestInit): Promise<string | undefined> => {
    const sent = new Request(`https://id.example.test${path}`, { headers: { "accept-language": "fr", accept: "text/html" }, ...more });
    return /<html lang="([^"]*)"/.exec(await (await service.postern.fetch(sent)).text())?.[1];
  };
  const authorize = { client_id: app.clientId, response_type: "code", redirect_uri: "https://evil.example.test/" };
  expect(await lang(`/authorize?${new URLSearchParams({ ...authorize, ui_locales: "xx de" })}`)).toBe("de");
  expect(await lang(`/authorize?${new URLSearchParams({ ...authorize, client_id: "unknown", ui_locales: "de" })}`)).toBe("de");
  expect(await lang(`/authorize?${new URLSearchParams(authorize)}`)).toBe("fr");
  expect(await lang("/u/nothing?ui_locales=de")).toBe("de");
  expect(await lang(`/u/nothing?ui_locales=${"x".repeat(5000)}`)).toBe("fr");
});

test("responds to an unknown URL below /u/ with a page that links onward, and below the flow API with JSON", async () => {
  await updateTenantSettings({ default_redirection_uri: "https://example.test/start" });
  const page = await service.browser().get("/u/nothing");
  expect(page.status).toBe(404);
  const html = await page.text();
  expect(html).toContain("<h1>Page not found</h1>");
  expect(html).toContain('<bdi class="brand-name clamped">id.example.test</bdi>');
  expect(html).toContain('href="https://example.test/start"');
  const api = await service.browser().get("/u/flow/nothing");
  expect(api.headers.get("content-type")).toContain("application/json");
});
