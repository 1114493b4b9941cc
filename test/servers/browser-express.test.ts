import express from "express";
import { auth, type ConfigParams } from "express-openid-connect";
import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { password, user } from "./support/fixtures.ts";
import { signInOn } from "./support/login-page.ts";
import { testUnless } from "./support/repeated.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

const clientSecret = "a-secret-that-is-long-enough-for-tests";

let browser: Browser;
let app: SecureServer;
let serveApp: RequestListener = () => {};
let postern: SecurePostern;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  app = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  postern = await serveSecurely({
    tenantId: "main",
    clients: [
      {
        clientId: "web",
        secret: clientSecret,
        settings: {
          name: "Web",
          app_type: "regular_web",
          token_endpoint_auth_method: "client_secret_basic",
          grant_types: ["authorization_code", "implicit", "refresh_token"],
          callbacks: [`${app.origin}/callback`],
          allowed_logout_urls: [app.origin],
        },
      },
    ],
    user: { email: user, password },
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await app.close();
});

/** Starts an app that follows the SDK's guide. */
function start(more: ConfigParams = {}): void {
  const all = express();
  all.use(
    auth({
      issuerBaseURL: postern.issuer,
      baseURL: app.origin,
      clientID: "web",
      secret: "0123456789abcdef0123456789abcdef",
      authRequired: false,
      idpLogout: true,
      customFetch: postern.fetch,
      ...more,
    }),
  );
  all.get("/", (request, response) => void response.json(request.oidc.isAuthenticated() ? { email: request.oidc.user?.["email"] } : {}));
  all.get("/userinfo", async (request, response) => void response.json(await request.oidc.fetchUserInfo()));
  all.get("/refresh", async (request, response) => {
    const { access_token: token } = (await request.oidc.accessToken?.refresh()) ?? {};
    response.json({ token });
  });
  serveApp = all;
}

/** Opens a path of the app. @returns its JSON. */
async function shown(path = "/"): Promise<unknown> {
  await page.goto(`${app.origin}${path}`);
  return JSON.parse((await page.textContent("body")) ?? "");
}

describe.each([true, false])("express-openid-connect in a browser with JavaScript: %s", (javaScriptEnabled) => {
  /** Runs without JavaScript only in `.ci/nightly`. */
  const testOnce = testUnless(!javaScriptEnabled);
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** Signs in and returns to the app. Without JavaScript, a button posts the authorization response. */
  async function signIn(formPost: boolean): Promise<void> {
    await page.goto(`${app.origin}/login`);
    await signInOn(page);
    if (formPost && !javaScriptEnabled) await page.click("#form-post-submit");
    await page.waitForURL(`${app.origin}/`);
    expect(await shown()).toEqual({ email: user });
  }

  async function signOut(): Promise<void> {
    await page.goto(`${app.origin}/logout`);
    await page.waitForURL(`${app.origin}/`);
    expect(await shown()).toEqual({});
    // The session of Postern ended too: the next sign-in starts at the first page.
    await page.goto(`${app.origin}/login`);
    await page.waitForSelector("input[name=identifier]");
  }

  test("signs in with the SDK's defaults, an ID token in a posted form, and signs out", async () => {
    start();
    await signIn(true);
    await signOut();
  });

  testOnce("signs in with a code, refreshes the tokens and signs out", async () => {
    start({ clientSecret, authorizationParams: { response_type: "code", scope: "openid profile email offline_access" } });
    await signIn(false);
    expect(await shown("/userinfo")).toMatchObject({ email: user });
    expect(await shown("/refresh")).toMatchObject({ token: expect.any(String) });
    await signOut();
  });

  testOnce("signs in with a code and an ID token, and signs out at Auth0's logout endpoint", async () => {
    start({ clientSecret, auth0Logout: true, authorizationParams: { response_type: "code id_token", scope: "openid profile email" } });
    await signIn(true);
    expect(await shown("/userinfo")).toMatchObject({ email: user });
    await signOut();
  });
});
