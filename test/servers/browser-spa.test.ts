import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { decodeJwt } from "jose";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { password, user } from "./support/people.ts";
import { signInOn } from "./support/person.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";
import { openTolerantBrowser } from "./support/tolerant-browser.ts";

/** What these tests call of the vendor's browser SDK. */
interface Auth0Client {
  loginWithRedirect(options?: object): Promise<void>;
  loginWithPopup(options?: object, popup?: object): Promise<void>;
  handleRedirectCallback(): Promise<{ readonly appState?: unknown }>;
  getTokenSilently(options?: object): Promise<string>;
  getIdTokenClaims(): Promise<{ readonly __raw: string } | undefined>;
  getUser(): Promise<{ readonly email?: string } | undefined>;
  logout(options?: object): Promise<void>;
}

declare global {
  interface Window {
    readonly auth0: { readonly Auth0Client: new (options: object) => Auth0Client };
    client: Auth0Client;
    opened: Promise<void>;
  }
}

let browser: Browser;
let app: SecureServer;
let postern: SecurePostern;
let context: BrowserContext;
let page: Page;
/** Refresh tokens that were presented. */
let presented: string[];
/** How often silent login was tried in a frame, or sign-in in a popup. */
let framed: number;

beforeAll(async () => {
  const folder = fileURLToPath(new URL("support/spa", import.meta.url));
  await promisify(execFile)("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder });
  const sdk = await readFile(`${folder}/node_modules/@auth0/auth0-spa-js/dist/auth0-spa-js.production.js`);
  app = await listenSecurely(hosts.app, (request, response) => {
    if (request.url === "/sdk.js") response.setHeader("content-type", "text/javascript").end(sdk);
    else response.setHeader("content-type", "text/html").end("<!DOCTYPE html><title>App</title><script src=/sdk.js></script>");
  });
  const { origin } = app;
  postern = await serveSecurely({
    tenantId: "main",
    clients: [
      {
        clientId: "spa",
        settings: { name: "App", app_type: "spa", callbacks: [origin, `${origin}/`], web_origins: [origin], allowed_logout_urls: [origin] },
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

beforeEach(async () => use(await browser.newContext({ ignoreHTTPSErrors: true })));
afterEach(() => context.close());

async function use(opened: BrowserContext): Promise<void> {
  context = opened;
  presented = [];
  framed = 0;
  context.on("request", (request) => {
    const token = new URLSearchParams(request.postData() ?? "").get("refresh_token");
    if (token !== null) presented.push(token);
    if (request.url().includes("response_mode=web_message")) framed++;
  });
  page = await context.newPage();
}

/** Opens the app as a fresh page: nothing that the SDK keeps in memory is left. */
async function open(options: object = {}): Promise<void> {
  await page.goto(`${app.origin}/`);
  await start(options);
}

async function start(options: object): Promise<void> {
  const all = {
    domain: new URL(postern.issuer).host,
    clientId: "spa",
    authorizationParams: { redirect_uri: app.origin },
    authorizeTimeoutInSeconds: 10,
    ...options,
  };
  await page.evaluate((given) => void (window.client = new window.auth0.Auth0Client(given)), all);
}

const token = (options: object = {}): Promise<string> => page.evaluate((given) => window.client.getTokenSilently(given), options);

/** The error of silent authentication. */
const silentError = (): Promise<unknown> =>
  page.evaluate(() =>
    window.client.getTokenSilently({ cacheMode: "off" }).then(
      () => "none",
      (error: { readonly error?: string }) => error.error,
    ),
  );

async function signIn(options: object = {}): Promise<void> {
  await open(options);
  await page.evaluate(() => window.client.loginWithRedirect({ appState: { from: "here" } }));
  await signInOn(page);
  await page.waitForURL(`${app.origin}/?**`);
  await start(options);
  expect(await page.evaluate(() => window.client.handleRedirectCallback())).toMatchObject({ appState: { from: "here" } });
  expect(await page.evaluate(() => window.client.getUser())).toMatchObject({ email: user });
}

async function signOut(): Promise<void> {
  // The app's own page is where it began: only a load tells that the way there and back is over.
  const back = page.waitForEvent("load");
  await page.evaluate((returnTo) => void window.client.logout({ logoutParams: { returnTo } }), app.origin);
  await back;
  expect(page.url()).toBe(`${app.origin}/`);
}

describe("the vendor's browser SDK", () => {
  test("signs in by redirect, renews in a frame of another site, and signs out", async () => {
    await context.close();
    await use(await openTolerantBrowser());
    await signIn();
    expect(subjectOf(await token())).toMatch(/^.+\|.+$/);
    expect(framed).toBe(0);

    await open();
    await token();
    expect(framed).toBe(1);
    expect(await page.evaluate(() => window.client.getUser())).toMatchObject({ email: user });
    expect(presented).toEqual([]);

    await signOut();
    await open();
    expect(await silentError()).toBe("login_required");
    expect(framed).toBe(2);
  });

  test("is told in the frame that it must sign in, where the browser keeps other sites' cookies back", async () => {
    await signIn();
    await open();
    expect(await silentError()).toBe("login_required");
    expect(framed).toBe(1);
  });

  test.each(["memory", "localstorage"])("renews with rotating refresh tokens, kept in %s", async (cacheLocation) => {
    const options = { useRefreshTokens: true, cacheLocation };
    await signIn(options);
    await token();
    expect(presented).toEqual([]);
    for (let renewed = 1; renewed <= 3; renewed++) {
      await token({ cacheMode: "off" });
      expect(new Set(presented).size).toBe(renewed);
    }
    expect(framed).toBe(0);

    await signOut();
    await open(options);
    expect(await page.evaluate(() => window.client.getUser())).toBeUndefined();
  });

  test("falls back from a refresh token to silent login where the session was ended elsewhere, and learns that nobody is signed in", async () => {
    await signIn({ useRefreshTokens: true, useRefreshTokensFallback: true, cacheLocation: "localstorage" });
    await token({ cacheMode: "off" });
    const { sessions } = postern.service.data.collections;
    const [session] = await sessions.find({ where: { tenant_id: "main", id: sessionOf(await idToken()) }, limit: 1 });
    if (session === undefined) throw new Error("no session");
    await sessions.update({ tenant_id: "main", id: session.id }, { set: { revoked_at: Date.now() } });
    expect(await silentError()).toBe("login_required");
    expect(framed).toBe(1);
  });

  test("signs in by a popup", async () => {
    await open();
    const opening = context.waitForEvent("page");
    await page.evaluate(() => void (window.opened = window.client.loginWithPopup()));
    await signInOn(await opening);
    await page.evaluate(() => window.opened);
    expect(await page.evaluate(() => window.client.getUser())).toMatchObject({ email: user });
    expect(framed).toBeGreaterThan(0);
  });
});

const idToken = (): Promise<string> => page.evaluate(async () => (await window.client.getIdTokenClaims())?.__raw ?? "");

const subjectOf = (jwt: string): unknown => decodeJwt(jwt).sub;

function sessionOf(jwt: string): string {
  return String(decodeJwt(jwt)["sid"]);
}
