import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { launchBrowser, resolvesHosts } from "../pages/browser.ts";
import { openRecorded, recorded, namedStrategies, type RunningProvider } from "../upstream/recorded-providers.ts";
import { serveProviderPages, type RecordedSignIn, type ProviderPages } from "./support/provider-pages.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { testUnless } from "./support/repeated.ts";
import { listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

/**
 * Signs in at each named provider in a real browser, with the responses that the provider documents. A stand-in form at
 * the provider's URL replaces its consent page.
 */
const clientSecret = "a-secret-that-is-long-enough-for-tests";

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let app: OpenIdApp;
let postern: SecurePostern;
let pages: ProviderPages;
let signIn: RecordedSignIn | undefined;
/** The open providers by strategy. A provider keeps its keys between logins. */
const opened = new Map<string, RunningProvider>();

beforeAll(async () => {
  server = await listenSecurely("app.example.test", (request, response) => serveApp(request, response));
  const settings = { name: "Web", app_type: "regular_web" as const, callbacks: [`${server.origin}/callback`] };
  const fetch = async (request: Request): Promise<Response> => signIn?.answering.fetch(request) ?? new Response(null, { status: 503 });
  postern = await serveSecurely(
    { tenantId: "main", clients: [{ clientId: "web", secret: clientSecret, settings }] },
    { network: { fetch } },
  );
  await postern.service.postern.seed({
    tenantId: "main",
    connections: namedStrategies.map((strategy) => ({
      name: strategy,
      strategy,
      clients: ["web"],
      settings: { show_as_button: true, options: { ...recorded[strategy].options } },
    })),
  });
  app = createOpenIdApp(await configure(postern, "web", clientSecret), server.origin);
  serveApp = app.serve;
  pages = await serveProviderPages((address) => (signIn?.provider.authorize === address ? signIn : undefined));
  browser = await launchBrowser([`${resolvesHosts},${pages.resolves}`]);
});
afterAll(async () => {
  await browser.close();
  await pages.close();
  await postern.close();
  await server.close();
});

describe.each([true, false])("with JavaScript: %s", (javaScriptEnabled) => {
  // Without JavaScript, only in `.ci/nightly`.
  testUnless(!javaScriptEnabled).each(namedStrategies)("a user signs in at %s with its button", async (strategy) => {
    const provider = recorded[strategy];
    const answering = opened.get(strategy) ?? (await openRecorded(provider, () => Math.floor(Date.now() / 1000)));
    opened.set(strategy, answering);
    signIn = { provider, answering };
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
