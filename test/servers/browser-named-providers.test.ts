import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, resolvesHosts } from "../pages/browser.ts";
import { openRecorded, recorded, strategies, type AnsweringProvider } from "../upstream/recorded-providers.ts";
import { serveAskingPages, type Asking, type AskingPages } from "./support/asking-pages.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

/** Each named provider in a real browser, with the replies that it documents. The page that asks people there is a form of ours, at the provider's address. */
const clientSecret = "a-secret-that-is-long-enough-for-tests";

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let app: OpenIdApp;
let postern: SecurePostern;
let pages: AskingPages;
let asking: Asking | undefined;
/** By their strategies: a provider keeps its keys from one login to the next. */
const opened = new Map<string, AnsweringProvider>();

beforeAll(async () => {
  server = await listenSecurely("app.example.test", (request, response) => serveApp(request, response));
  const settings = { name: "Web", app_type: "regular_web" as const, callbacks: [`${server.origin}/callback`] };
  const fetch = async (request: Request): Promise<Response> => asking?.answering.fetch(request) ?? new Response(null, { status: 503 });
  postern = await serveSecurely(
    { tenantId: "main", clients: [{ clientId: "web", secret: clientSecret, settings }] },
    { network: { fetch } },
  );
  await postern.service.postern.seed({
    tenantId: "main",
    connections: strategies.map((strategy) => ({
      name: strategy,
      strategy,
      clients: ["web"],
      settings: { show_as_button: true, options: { ...recorded[strategy].options } },
    })),
  });
  app = createOpenIdApp(await configure(postern, "web", clientSecret), server.origin);
  serveApp = app.serve;
  pages = await serveAskingPages((address) => (asking?.provider.authorize === address ? asking : undefined));
  browser = await launchBrowser([`${resolvesHosts},${pages.resolves}`]);
});
afterAll(async () => {
  await browser.close();
  await pages.close();
  await postern.close();
  await server.close();
});

describe.each([true, false])("with JavaScript: %s", (javaScriptEnabled) => {
  test.each(strategies)("somebody signs in at %s by its button", async (strategy) => {
    const provider = recorded[strategy];
    const answering = opened.get(strategy) ?? (await openRecorded(provider, () => Math.floor(Date.now() / 1000)));
    opened.set(strategy, answering);
    asking = { provider, answering };
    const context: BrowserContext = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled, locale: "en-US" });
    const page: Page = await context.newPage();
    try {
      await page.goto(`${server.origin}/login`);
      await page.click(`form:has(input[value="${strategy}"]) button`);
      await page.click("#allow");
      await page.waitForURL(`${server.origin}/**`);
      const { pathname } = new URL(page.url());
      const body = (await page.textContent("body")) ?? "";
      expect({ pathname, body }).toEqual({ pathname: "/callback", body: expect.stringContaining(String(provider.user["email"])) });
    } finally {
      await context.close();
    }
  });
});
