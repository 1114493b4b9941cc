import { createSessions, type SessionOptions } from "@postern/app";
import { toExpressSessions } from "@postern/express";
import express, { type RequestHandler } from "express";
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
          callbacks: [`${app.origin}/callback`, `${app.origin}/shop/callback`],
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

describe("an Express app with sessions of @postern/app", () => {
  beforeEach(async () => {
    context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
  });
  afterEach(() => context.close());

  /** Serves an app below a path, which shows the email address of the user at `private`. */
  function startSessions(
    path: string,
    options: Partial<SessionOptions> = {},
    before: RequestHandler = (_request, _response, next) => next(),
  ): void {
    const appUrl = app.origin + path;
    const { postern: embedded } = postern.service;
    const sessions = createSessions({
      postern: embedded,
      tenantId: "main",
      clientId: "web",
      clientSecret,
      appUrl,
      secret: "0123456789abcdef0123456789abcdef",
      ...options,
    });
    const sessionsOfApp = toExpressSessions(sessions, appUrl);
    const all = express();
    all.use(before);
    all.use(sessionsOfApp.routes);
    all.get(`${path}private`, sessionsOfApp.requireSession, async (request, response) => {
      response.json({ email: (await sessionsOfApp.getSession(request, response))?.user.email });
    });
    all.get(path, async (request, response) => {
      const session = await sessionsOfApp.getSession(request, response);
      response.send(`${session ? "signed in" : "signed out"}<form method="post" action="${path}logout/"><button>Sign out</button></form>`);
    });
    serveApp = all;
  }

  test("signs in although the browser sends the callback twice, and signs out at a path with a final slash", async () => {
    let callbacks = 0;
    startSessions("/", {}, (request, response, next) => {
      if (request.path === "/callback" && ++callbacks === 1) {
        // The app answers, and the connection is lost before the browser receives the answer.
        response.writeHead = () => {
          request.socket.destroy();
          return response;
        };
      }
      next();
    });
    await page.goto(`${app.origin}/login/?returnTo=/private`);
    const callback = page.waitForRequest((request) => new URL(request.url()).pathname === "/callback");
    await signInOn(page);
    const { url } = await callback.then((request) => ({ url: request.url() }));
    if (callbacks < 2) await page.goto(url);
    await page.waitForURL(`${app.origin}/private`);
    expect(callbacks).toBeGreaterThan(1);
    expect(await shown("/private")).toEqual({ email: user });
    await page.goto(`${app.origin}/`);
    await page.click("button");
    await page.waitForURL(`${app.origin}/`);
    expect(await page.textContent("body")).toContain("signed out");
  });

  test("with 215 permissions and five started sign-ins, the browser's cookies are accepted by Node, and the user can sign out", async () => {
    const audience = "https://orders.example.test";
    const { postern: embedded } = postern.service;
    const tenant = embedded.tenant("main");
    const names = Array.from({ length: 215 }, (_, index) => `read:resource-number-${index}`);
    await tenant.resourceServers.create({
      identifier: audience,
      name: "Orders",
      enforce_policies: true,
      allow_offline_access: true,
      token_dialect: "access_token_authz",
      scopes: names.map((value) => ({ value })),
    });
    const role = await tenant.roles.create({ name: "Many" });
    await tenant.roles.permissions.add(role.id, {
      permissions: names.map((name) => ({ resource_server_identifier: audience, permission_name: name })),
    });
    const [account] = await tenant.users.list({ q: `email:"${user}"` });
    await tenant.users.roles.add(account?.user_id ?? "", { roles: [role.id] });
    startSessions("/", { audience });
    await page.goto(`${app.origin}/private`);
    await signInOn(page);
    await page.waitForURL(`${app.origin}/private`);
    for (let i = 0; i < 5; i++) {
      await page.evaluate(() => fetch("/login", { redirect: "manual" }));
      expect(await shown("/private")).toEqual({ email: user });
    }
    await page.goto(`${app.origin}/`);
    await page.click("button");
    await page.waitForURL(`${app.origin}/`);
    expect(await page.textContent("body")).toContain("signed out");
  });

  test("signs in although a cookie of a longer path remains, and a process with another secret shows an error page", async () => {
    const name = "__Secure-app_session.0";
    await context.addCookies([{ name, value: "a.b.c.d.e", domain: hosts.app, path: "/shop/private", secure: true, httpOnly: true }]);
    startSessions("/shop/");
    await page.goto(`${app.origin}/shop/private`);
    await signInOn(page);
    await page.waitForURL(`${app.origin}/shop/private`);
    expect(await shown("/shop/private")).toEqual({ email: user });
    startSessions("/shop/", { secret: "another-secret-0123456789abcdef0123456789" });
    const response = await page.goto(`${app.origin}/shop/private`);
    expect(response?.status()).toBe(500);
    expect(await page.textContent("main")).toContain("Error code: secret_mismatch");
    expect(await page.evaluate(() => getComputedStyle(document.querySelector("main a") ?? document.body).display)).toBe("block");
  });
});
