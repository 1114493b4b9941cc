import express from "express";
import { auth, type ConfigParams } from "express-openid-connect";
import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { password, user } from "./support/people.ts";
import { signInOn } from "./support/person.ts";
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

/** An app as the SDK's own guide has it. */
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

/** What the app answers at an address of its own. */
async function shown(path = "/"): Promise<unknown> {
  await page.goto(`${app.origin}${path}`);
  return JSON.parse((await page.textContent("body")) ?? "");
}

describe.each([true, false])("with JavaScript: %s", (javaScriptEnabled) => {
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** Signs in and is back in the app. Without scripts a button posts the answer. */
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
    // Not only here: the next sign-in asks for everything again.
    await page.goto(`${app.origin}/login`);
    await page.waitForSelector("input[name=identifier]");
  }

  test("express-openid-connect signs in as it does by default, with an ID token in a posted form, and signs out", async () => {
    start();
    await signIn(true);
    await signOut();
  });

  test("express-openid-connect signs in with a code, renews, and signs out", async () => {
    start({ clientSecret, authorizationParams: { response_type: "code", scope: "openid profile email offline_access" } });
    await signIn(false);
    expect(await shown("/userinfo")).toMatchObject({ email: user });
    expect(await shown("/refresh")).toMatchObject({ token: expect.any(String) });
    await signOut();
  });

  test("express-openid-connect signs in with both at once, and signs out the vendor's way", async () => {
    start({ clientSecret, auth0Logout: true, authorizationParams: { response_type: "code id_token", scope: "openid profile email" } });
    await signIn(true);
    expect(await shown("/userinfo")).toMatchObject({ email: user });
    await signOut();
  });
});
