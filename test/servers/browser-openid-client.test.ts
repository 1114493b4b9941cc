import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { password, user } from "./support/people.ts";
import { act, givePassword, sayWho, signInOn } from "./support/person.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const tabs = 20;

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let app: OpenIdApp;
let postern: SecurePostern;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const { origin } = server;
  postern = await serveSecurely({
    tenantId: "main",
    clients: [
      {
        clientId: "web",
        secret: clientSecret,
        settings: {
          name: "Web",
          app_type: "regular_web",
          callbacks: [
            `${origin}/callback`,
            `${origin}/callback/onward`,
            ...Array.from({ length: tabs }, (_, tab) => `${origin}/callback/${tab}`),
          ],
          allowed_logout_urls: [`${origin}/bye`],
          refresh_token: { rotation_type: "rotating", expiration_type: "expiring" },
        },
      },
    ],
    user: { email: user, password },
  });
  app = createOpenIdApp(await configure(postern, "web", clientSecret), origin);
  serveApp = app.serve;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await server.close();
});

/** What the app answers where the browser is. */
async function shown(at: Page = page): Promise<unknown> {
  await at.waitForURL(`${server.origin}/**`);
  return JSON.parse((await at.textContent("body")) ?? "");
}

async function open(path: string): Promise<unknown> {
  await page.goto(`${server.origin}${path}`);
  return shown();
}

async function cookies(): Promise<readonly { readonly name: string; readonly value: string }[]> {
  return context.cookies(postern.issuer);
}

describe.each([true, false])("openid-client in a browser with JavaScript: %s", (javaScriptEnabled) => {
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  test("signs in with code and PKCE, silently the second time, renews with rotation, and signs out", async () => {
    expect(await open("/login?prompt=none")).toEqual({ path: "/callback", error: "login_required" });

    await page.goto(`${server.origin}/login`);
    await signInOn(page);
    expect(await shown()).toEqual({ path: "/callback", email: user });
    expect(await open("/userinfo")).toMatchObject({ email: user });
    expect(await open("/login?prompt=none")).toEqual({ path: "/callback", email: user });
    expect(await open("/login")).toEqual({ path: "/callback", email: user });

    const first = app.tokens().refresh_token;
    for (let time = 0; time < 3; time++) expect(await open("/refresh")).toEqual({ rotated: true });
    expect(app.tokens().refresh_token).not.toBe(first);

    expect(await open("/logout")).toEqual({ path: "/bye", state: "left" });
    expect(await open("/login?prompt=none")).toEqual({ path: "/callback", error: "login_required" });
  });

  test("gets its answer by a posted form", async () => {
    await page.goto(`${server.origin}/login?response_mode=form_post&ui_locales=de`);
    await signInOn(page);
    if (!javaScriptEnabled) {
      expect(await page.title()).toBe(`Zurück zur App · ${new URL(postern.issuer).host}`);
      await page.getByRole("button", { name: "Weiter" }).click();
    }
    expect(await shown()).toEqual({ path: "/callback", email: user });
  });

  test.each(["query", "form_post"])("may lead on to another site at once, by %s", async (mode) => {
    await page.goto(`${server.origin}/login?response_mode=${mode}&redirect_uri=${server.origin}/callback/onward`);
    await signInOn(page);
    if (mode === "form_post" && !javaScriptEnabled) await page.click("#form-post-submit");
    await page.waitForURL(`https://elsewhere.test:${new URL(server.origin).port}/home`);
  });

  test("asks a person who is signed in again where it says so", async () => {
    await page.goto(`${server.origin}/login`);
    await signInOn(page);
    await shown();
    for (const asked of ["prompt=login", "max_age=0"]) {
      await page.goto(`${server.origin}/login?${asked}`);
      await signInOn(page);
      expect(await shown()).toEqual({ path: "/callback", email: user });
    }
  });

  test(`${tabs} tabs started at once end in any order, each at its own address with its own state`, { timeout: 120_000 }, async () => {
    const paths = Array.from({ length: tabs }, (_, tab) => `/callback/${tab}`);
    const pages = await Promise.all(paths.map(() => context.newPage()));
    const addressOf = (path: string): string => `${server.origin}/login?${new URLSearchParams({ redirect_uri: server.origin + path })}`;
    // Nobody of them has a cookie yet: each answer brings one, and one stays.
    await Promise.all(pages.map((tab, index) => tab.goto(addressOf(paths[index] ?? ""))));
    expect(await cookies()).toHaveLength(1);
    // All are at the password before the first of them signs in: one that comes there later goes on by itself.
    await Promise.all(
      pages.map(async (tab) => {
        await sayWho(tab);
        await tab.waitForSelector("input[name=password]");
      }),
    );

    const order = pages.map((_, index) => (index * 7 + 3) % tabs);
    const late = order.splice(10);
    for (const index of order) await givePassword(pages[index] ?? page);
    await Promise.all(late.map((index) => givePassword(pages[index] ?? page)));
    for (const [index, tab] of pages.entries()) expect(await shown(tab)).toEqual({ path: paths[index], email: user });

    const kept = await cookies();
    const names = ["__Host-postern_accounts_main", "__Host-postern_browser_main", "__Host-postern_session_main"];
    expect(kept.map(({ name }) => name).toSorted()).toEqual(names);
    expect(kept.reduce((sum, { name, value }) => sum + name.length + value.length, 0)).toBeLessThan(200);
  });

  test("a tab that another tab overtook goes on without asking again", async () => {
    await page.goto(`${server.origin}/login?redirect_uri=${server.origin}/callback/1`);
    const other = await context.newPage();
    await other.goto(`${server.origin}/login?redirect_uri=${server.origin}/callback/2`);
    await signInOn(other);
    expect(await shown(other)).toEqual({ path: "/callback/2", email: user });
    await page.reload();
    expect(await shown()).toEqual({ path: "/callback/1", email: user });
  });

  test("going back and sending a page again does no harm", async () => {
    await page.goto(`${server.origin}/login`);
    await sayWho(page, "wrong@example.com");
    await act(page, "change-identifier");
    await sayWho(page);
    await givePassword(page, "not the password");
    expect(await page.getAttribute("input[name=password]", "aria-invalid")).toBe("true");
    await givePassword(page);
    expect(await shown()).toEqual({ path: "/callback", email: user });
  });
});
