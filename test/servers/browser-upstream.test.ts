import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { startProvider, type RealProvider } from "./support/oidc-provider.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { managerOf } from "../support/api.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { password, user } from "./support/fixtures.ts";
import { clickAction, enterPassword } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const outbox = createOutbox();
const methods = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] as const;

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let app: OpenIdApp;
let postern: SecurePostern;
let provider: RealProvider;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const options = {
    messages: { mail: outbox.mail },
    network: { allowedPrivateAddresses: ["127.0.0.1"] },
    crypto: { signingAlgorithm: "RS256" as const },
  };
  const settings = { name: "Web", app_type: "regular_web" as const, callbacks: [`${server.origin}/callback`] };
  const web = { clientId: "web", secret: clientSecret, settings };
  postern = await serveSecurely({ tenantId: "main", clients: [web], user: { email: user, password } }, options);
  const { keys } = (await (await postern.fetch(`${postern.issuer}.well-known/jwks.json`)).json()) as { keys: [] };
  provider = await startProvider(
    methods.map((method) => ({
      client_id: method,
      redirect_uris: [`${postern.issuer}login/callback`],
      token_endpoint_auth_method: method,
      ...(method.startsWith("client_secret") && { client_secret: clientSecret }),
      ...(method === "private_key_jwt" && { jwks: { keys } }),
    })),
  );
  await postern.service.postern.seed({
    tenantId: "main",
    connections: [
      { name: "Username-Password-Authentication", strategy: "auth0", clients: ["web"], sync: true },
      ...methods.map((method) => ({
        name: method.replaceAll("_", "-"),
        strategy: "oidc" as const,
        clients: ["web"],
        settings: {
          display_name: method,
          show_as_button: true,
          options: {
            issuer: provider.issuer,
            client_id: method,
            token_endpoint_auth_method: method,
            ...(method.startsWith("client_secret") && { client_secret: clientSecret }),
          },
        },
      })),
    ],
  });
  app = createOpenIdApp(await configure(postern, "web", clientSecret), server.origin);
  serveApp = app.serve;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await provider.close();
  await server.close();
});

/** Waits until the browser is back at the app. @returns the app's JSON. */
async function shown(): Promise<unknown> {
  await page.waitForURL(`${server.origin}/**`);
  return JSON.parse((await page.textContent("body")) ?? "");
}

/** Signs in on the provider's own pages, which also ask for consent. */
async function signInAtProvider(name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.fill("input[name=login]", name);
  await page.fill("input[name=password]", "x");
  await page.click("button[type=submit]");
  await page.click("button[type=submit]");
}

describe.each([true, false])("an upstream provider in a browser with JavaScript: %s", (javaScriptEnabled) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  const name = (prefix: string): string => `${prefix}-${String(javaScriptEnabled)}`;

  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  testOnce.each(methods)("signs a user in when Postern authenticates with %s", async (method) => {
    await page.goto(`${server.origin}/login`);
    await page.click(`form:has(input[value=${method.replaceAll("_", "-")}]) button`);
    await signInAtProvider(name(method.replaceAll("_", "-")));
    expect(await shown()).toEqual({ path: "/callback", email: `${name(method.replaceAll("_", "-"))}@people.example` });
    // The user has a session now, so a silent login succeeds.
    await page.goto(`${server.origin}/login?prompt=none`);
    expect(await shown()).toMatchObject({ email: `${name(method.replaceAll("_", "-"))}@people.example` });
  });

  test("lets a user go back without signing in and use a password instead", async () => {
    await page.goto(`${server.origin}/login`);
    await page.click("form:has(input[value=none]) button");
    await page.waitForURL(`${provider.issuer}/**`);
    await page.goBack();
    await page.waitForURL(`${postern.issuer}**`);
    await page.fill("input[name=identifier]", user);
    await clickAction(page, "continue");
    await enterPassword(page);
    expect(await shown()).toEqual({ path: "/callback", email: user });
  });

  testOnce("shows a message and the buttons again after the user refused at the provider", async () => {
    await page.goto(`${server.origin}/login?connection=none`);
    await page.waitForURL(`${provider.issuer}/**`);
    await page.click("a[href*=abort]");
    await page.waitForURL(`${postern.issuer}**`);
    expect(await page.textContent("[role=alert]")).toContain("You didn’t finish signing in.");
    await page.click("button[value=continue-with]");
    await signInAtProvider(name("later"));
    expect(await shown()).toMatchObject({ email: `${name("later")}@people.example` });
  });

  testOnce("links to an existing account after a password sign-in, and signs the user in from then on", async () => {
    const email = `${name("linked")}@people.example`;
    await postern.service.postern.seed({ tenantId: "main", users: [{ email, password }] });
    await page.goto(`${server.origin}/login?connection=none`);
    await signInAtProvider(name("linked"));
    await page.waitForURL(`${postern.issuer}**`);
    expect(await page.textContent("h1")).toBe("Link your account");
    await clickAction(page, "link-account");
    await enterPassword(page);
    expect(await shown()).toEqual({ path: "/callback", email });
    await context.clearCookies({ domain: hosts.postern });
    await page.goto(`${server.origin}/login?connection=none`);
    expect(await shown()).toEqual({ path: "/callback", email });
  });

  testOnce("links to an existing account after the user entered a code from the mail", async () => {
    const email = `${name("coded")}@people.example`;
    await postern.service.postern.seed({ tenantId: "main", users: [{ email, password }] });
    await page.goto(`${server.origin}/login?connection=none`);
    await signInAtProvider(name("coded"));
    await page.waitForURL(`${postern.issuer}**`);
    await clickAction(page, "send-link-code");
    await expect.poll(() => page.textContent("h1")).toBe("Check your email");
    await page.fill("#code", codeOf(outbox.take(email)));
    await clickAction(page, "enter-code");
    expect(await shown()).toEqual({ path: "/callback", email });
  });

  testOnce("gives the owner of an email address the account that another user created, and disables that user's password", async () => {
    const email = `${name("victim")}@people.example`;
    const manage = await managerOf(postern.service);
    const made = { connection: "Username-Password-Authentication", email, password: "chosen by mallory" };
    await manage.create("/api/v2/users", made);
    await page.goto(`${server.origin}/login?connection=none`);
    await signInAtProvider(name("victim"));
    await page.waitForURL(`${postern.issuer}**`);
    expect(await page.textContent("h1")).toBe("Link your account");
    await clickAction(page, "send-link-code");
    await page.fill("#code", codeOf(outbox.take(email)));
    await clickAction(page, "enter-code");
    expect(await shown()).toEqual({ path: "/callback", email });
    await context.clearCookies();
    await page.goto(`${server.origin}/login`);
    await page.fill("input[name=identifier]", email);
    await clickAction(page, "continue");
    await page.fill("#password", made.password);
    await clickAction(page, "sign-in");
    expect(await page.textContent("[role=alert]")).toContain("Wrong email or password.");
  });
});
