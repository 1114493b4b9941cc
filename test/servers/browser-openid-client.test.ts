import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { password, user } from "./support/fixtures.ts";
import { clickAction, enterPassword, enterIdentifier, signInOn } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
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

/** Waits until the browser is at the app. @returns the app's JSON. */
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
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  testOnce("signs in with a code and PKCE, signs in silently, rotates refresh tokens and signs out", async () => {
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

  test("receives the authorization response as a posted form", async () => {
    await page.goto(`${server.origin}/login?response_mode=form_post&ui_locales=de`);
    await signInOn(page);
    if (!javaScriptEnabled) {
      expect(await page.title()).toBe(`Zurück zur App · ${new URL(postern.issuer).host}`);
      await page.getByRole("button", { name: "Weiter" }).click();
    }
    expect(await shown()).toEqual({ path: "/callback", email: user });
  });

  test.each(["query", "form_post"])("may redirect to another site right after the callback, with response mode %s", async (mode) => {
    await page.goto(`${server.origin}/login?response_mode=${mode}&redirect_uri=${server.origin}/callback/onward`);
    await signInOn(page);
    if (mode === "form_post" && !javaScriptEnabled) await page.click("#form-post-submit");
    await page.waitForURL(`https://elsewhere.test:${new URL(server.origin).port}/home`);
  });

  testOnce("prompts a user with a session again for prompt=login and max_age=0", async () => {
    await page.goto(`${server.origin}/login`);
    await signInOn(page);
    await shown();
    for (const query of ["prompt=login", "max_age=0"]) {
      await page.goto(`${server.origin}/login?${query}`);
      await signInOn(page);
      expect(await shown()).toEqual({ path: "/callback", email: user });
    }
  });

  test(
    `${tabs} tabs that start at once finish in any order, each at its own redirect URI with its own state`,
    { timeout: 120_000 },
    async () => {
      const paths = Array.from({ length: tabs }, (_, tab) => `/callback/${tab}`);
      const pages = await Promise.all(paths.map(() => context.newPage()));
      const addressOf = (path: string): string => `${server.origin}/login?${new URLSearchParams({ redirect_uri: server.origin + path })}`;
      // None of the tabs has a cookie yet. Each response sets one, and one remains.
      await Promise.all(pages.map((tab, index) => tab.goto(addressOf(paths[index] ?? ""))));
      expect(await cookies()).toHaveLength(1);
      // All tabs show the password page before the first one signs in. A tab that arrives later would continue by
      // itself.
      await Promise.all(
        pages.map(async (tab) => {
          await enterIdentifier(tab);
          await tab.waitForSelector("input[name=password]");
        }),
      );

      const order = pages.map((_, index) => (index * 7 + 3) % tabs);
      const late = order.splice(10);
      for (const index of order) await enterPassword(pages[index] ?? page);
      await Promise.all(late.map((index) => enterPassword(pages[index] ?? page)));
      for (const [index, tab] of pages.entries()) expect(await shown(tab)).toEqual({ path: paths[index], email: user });

      const stored = await cookies();
      const names = ["__Host-postern_accounts_main", "__Host-postern_browser_main", "__Host-postern_session_main"];
      expect(stored.map(({ name }) => name).toSorted()).toEqual(names);
      expect(stored.reduce((sum, { name, value }) => sum + name.length + value.length, 0)).toBeLessThan(200);
    },
  );

  testOnce("a tab that waited while another tab signed in continues without a prompt after a reload", async () => {
    await page.goto(`${server.origin}/login?redirect_uri=${server.origin}/callback/1`);
    const other = await context.newPage();
    await other.goto(`${server.origin}/login?redirect_uri=${server.origin}/callback/2`);
    await signInOn(other);
    expect(await shown(other)).toEqual({ path: "/callback/2", email: user });
    await page.reload();
    expect(await shown()).toEqual({ path: "/callback/1", email: user });
  });

  testOnce("signs in after the identifier was changed and the password was wrong", async () => {
    await page.goto(`${server.origin}/login`);
    await enterIdentifier(page, "wrong@example.com");
    await clickAction(page, "change-identifier");
    await enterIdentifier(page);
    await enterPassword(page, "not the password");
    expect(await page.getAttribute("input[name=password]", "aria-invalid")).toBe("true");
    await enterPassword(page);
    expect(await shown()).toEqual({ path: "/callback", email: user });
  });
});
