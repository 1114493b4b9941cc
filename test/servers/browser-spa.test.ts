import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Action, Seed } from "@postern/core";
import { decodeJwt } from "jose";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { totpAt } from "../factors/support.ts";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf } from "../support/api.ts";
import { addConnection } from "../support/client-connections.ts";
import { password, user } from "./support/fixtures.ts";
import { clickAction, signInOn } from "./support/login-page.ts";
import { startProvider } from "./support/oidc-provider.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";
import { openThirdPartyCookieBrowser } from "./support/third-party-cookie-browser.ts";

/** The methods of Auth0's browser SDK that these tests call. */
interface Auth0Client {
  loginWithRedirect(options?: object): Promise<void>;
  loginWithPopup(options?: object, popup?: object): Promise<void>;
  handleRedirectCallback(): Promise<{ readonly appState?: unknown }>;
  connectAccountWithRedirect(options: object): Promise<void>;
  getTokenSilently(options?: object): Promise<string>;
  getIdTokenClaims(): Promise<{ readonly __raw: string } | undefined>;
  getUser(): Promise<{ readonly email?: string } | undefined>;
  logout(options?: object): Promise<void>;
  readonly mfa: {
    enroll(options: object): Promise<{ readonly secret?: string }>;
    getAuthenticators(mfaToken: string): Promise<readonly { readonly authenticatorType: string }[]>;
    verify(options: object): Promise<{ readonly id_token?: string }>;
  };
  readonly myAccount: {
    getFactors(): Promise<readonly { readonly type: string; readonly usage?: readonly string[] }[]>;
    getAuthenticationMethods(type?: string): Promise<readonly Method[]>;
    getAuthenticationMethod(id: string): Promise<Method>;
    updateAuthenticationMethod(id: string, data: object): Promise<Method>;
    deleteAuthenticationMethod(id: string): Promise<void>;
    enrollmentChallenge(options: object): Promise<Challenge>;
    enrollmentVerify(options: object): Promise<Method>;
  };
}

/** An authentication method of the My Account API, as the SDK returns it. */
interface Method {
  readonly id: string;
  readonly type: string;
  readonly name?: string;
}

/** A new authentication method that waits for its confirmation. */
interface Challenge {
  readonly id: string;
  readonly location: string;
  readonly auth_session: string;
  readonly manual_input_code: string;
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
/** The refresh tokens that were sent. */
let sentRefreshTokens: string[];
/** Whether an action requires a second factor at each refresh. */
let requiresFactor = false;
/** The number of authorization requests with `web_message`: silent logins in a frame and sign-ins in a popup. */
let webMessages: number;

beforeAll(async () => {
  const folder = fileURLToPath(new URL("support/spa", import.meta.url));
  await promisify(execFile)("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder });
  const sdk = await readFile(`${folder}/node_modules/@auth0/auth0-spa-js/dist/auth0-spa-js.production.js`);
  app = await listenSecurely(hosts.app, (request, response) => {
    if (request.url === "/sdk.js") response.setHeader("content-type", "text/javascript").end(sdk);
    else response.setHeader("content-type", "text/html").end("<!DOCTYPE html><title>App</title><script src=/sdk.js></script>");
  });
  const { origin } = app;
  const action: Action = {
    name: "factor at refresh",
    onExecutePostLogin: ({ transaction }, api) => {
      if (requiresFactor && transaction?.protocol === "oauth2-refresh-token") api.multifactor.enable("any");
    },
  };
  const seed: Seed = {
    tenantId: "main",
    clients: [
      {
        clientId: "spa",
        settings: {
          name: "App",
          app_type: "spa",
          grant_types: ["authorization_code", "refresh_token", "http://auth0.com/oauth/grant-type/mfa-otp"],
          callbacks: [origin, `${origin}/`],
          web_origins: [origin],
          allowed_logout_urls: [origin],
        },
      },
    ],
    user: { email: user, password },
  };
  postern = await serveSecurely(seed, { actions: [action], network: { allowedPrivateAddresses: ["127.0.0.1"] } });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await app.close();
});

beforeEach(async () => useContext(await browser.newContext({ ignoreHTTPSErrors: true })));
afterEach(() => context.close());

async function useContext(opened: BrowserContext): Promise<void> {
  context = opened;
  sentRefreshTokens = [];
  webMessages = 0;
  context.on("request", (request) => {
    const token = new URLSearchParams(request.postData() ?? "").get("refresh_token");
    if (token !== null) sentRefreshTokens.push(token);
    if (request.url().includes("response_mode=web_message")) webMessages++;
  });
  page = await context.newPage();
}

/** Opens the app as a new page, so that the SDK's memory cache is empty. */
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

/** Returns the error of silent authentication. */
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
  // The sign-out starts and ends at the same URL, so only a `load` event shows that the browser is back.
  const back = page.waitForEvent("load");
  await page.evaluate((returnTo) => void window.client.logout({ logoutParams: { returnTo } }), app.origin);
  await back;
  expect(page.url()).toBe(`${app.origin}/`);
}

describe("Auth0's browser SDK", () => {
  test("signs in by redirect, gets tokens in a cross-site frame and signs out", async () => {
    await context.close();
    await useContext(await openThirdPartyCookieBrowser());
    await signIn();
    expect(subjectOf(await token())).toMatch(/^.+\|.+$/);
    expect(webMessages).toBe(0);

    await open();
    await token();
    expect(webMessages).toBe(1);
    expect(await page.evaluate(() => window.client.getUser())).toMatchObject({ email: user });
    expect(sentRefreshTokens).toEqual([]);

    await signOut();
    await open();
    expect(await silentError()).toBe("login_required");
    expect(webMessages).toBe(2);
  });

  test("gets login_required in the frame if the browser blocks third-party cookies", async () => {
    await signIn();
    await open();
    expect(await silentError()).toBe("login_required");
    expect(webMessages).toBe(1);
  });

  test.each(["memory", "localstorage"])("rotates refresh tokens that it stores in %s", async (cacheLocation) => {
    const options = { useRefreshTokens: true, cacheLocation };
    await signIn(options);
    await token();
    expect(sentRefreshTokens).toEqual([]);
    for (let renewed = 1; renewed <= 3; renewed++) {
      await token({ cacheMode: "off" });
      expect(new Set(sentRefreshTokens).size).toBe(renewed);
    }
    expect(webMessages).toBe(0);

    await signOut();
    await open(options);
    expect(await page.evaluate(() => window.client.getUser())).toBeUndefined();
  });

  test("falls back to silent login after the session was revoked, and gets login_required", async () => {
    await signIn({ useRefreshTokens: true, useRefreshTokensFallback: true, cacheLocation: "localstorage" });
    await token({ cacheMode: "off" });
    const { sessions } = postern.service.data.collections;
    const [session] = await sessions.find({ where: { tenant_id: "main", id: sessionOf(await idToken()) }, limit: 1 });
    if (session === undefined) throw new Error("no session");
    await sessions.update({ tenant_id: "main", id: session.id }, { set: { revoked_at: Date.now() } });
    expect(await silentError()).toBe("login_required");
    expect(webMessages).toBe(1);
  });

  test("lists, adds, renames and removes sign-in methods with its MyAccountApiClient", async () => {
    const manage = await managerOf(postern.service);
    expect((await manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true })).status).toBe(200);
    await context.close();
    await useContext(await openThirdPartyCookieBrowser());
    await signIn();
    const factors = await page.evaluate(() => window.client.myAccount.getFactors());
    expect(factors).toContainEqual({ type: "totp", usage: ["secondary"] });
    expect(await page.evaluate(() => window.client.myAccount.getAuthenticationMethods())).toMatchObject([{ type: "password" }]);
    const challenge = await page.evaluate(() => window.client.myAccount.enrollmentChallenge({ type: "totp" }));
    const confirmation = {
      type: "totp",
      location: challenge.location,
      auth_session: challenge.auth_session,
      otp_code: totpAt(challenge.manual_input_code, Date.now()),
    };
    const { id } = await page.evaluate((given) => window.client.myAccount.enrollmentVerify(given), confirmation);
    expect(await page.evaluate(() => window.client.myAccount.getAuthenticationMethods("totp"))).toMatchObject([{ id, type: "totp" }]);
    // A token for a change now requires the new factor, so the app redirects the browser to pass it.
    const scope = ["read", "update", "delete"].map((verb) => `${verb}:me:authentication_methods`).join(" ");
    const stepUp = { audience: `${postern.issuer}me/`, scope };
    await page.evaluate((given) => void window.client.loginWithRedirect({ authorizationParams: given }), stepUp);
    // The code of the present time step was used.
    await page.locator("#code").fill(totpAt(challenge.manual_input_code, Date.now() + 30_000));
    await clickAction(page, "enter-factor-code");
    await page.waitForURL(`${app.origin}/?**`);
    await start({});
    await page.evaluate(() => window.client.handleRedirectCallback());
    const renamed = await page.evaluate((given) => window.client.myAccount.updateAuthenticationMethod(given, { name: "Work" }), id);
    expect(renamed).toMatchObject({ id, name: "Work" });
    expect(await page.evaluate((given) => window.client.myAccount.getAuthenticationMethod(given), id)).toMatchObject({ name: "Work" });
    await page.evaluate((given) => window.client.myAccount.deleteAuthenticationMethod(given), id);
    const missing = await page.evaluate(
      (given) =>
        window.client.myAccount.getAuthenticationMethod(given).then(
          () => undefined,
          ({ name, status }: { readonly name: string; readonly status: number }) => ({ name, status }),
        ),
      id,
    );
    expect(missing).toMatchObject({ status: 404 });
  });

  test("connects an account at an identity provider with connectAccountWithRedirect", async () => {
    const secret = "a-secret-that-is-long-enough-for-tests";
    const provider = await startProvider([
      { client_id: "postern", client_secret: secret, redirect_uris: [`${postern.issuer}login/callback`] },
    ]);
    onTestFinished(() => provider.close());
    const manage = await managerOf(postern.service);
    const options = { issuer: provider.issuer, client_id: "postern", client_secret: secret };
    const { id } = await manage.create("/api/v2/connections", { name: "people", strategy: "oidc", show_as_button: true, options });
    await addConnection(manage, "spa", String(id));
    onTestFinished(async () => void (await manage("DELETE", `/api/v2/connections/${String(id)}`)));
    const account_page = { sections: { linked_accounts: "shown" } };
    expect((await manage("PATCH", "/api/v2/tenants/settings", { account_page })).status).toBe(200);
    await context.close();
    await useContext(await openThirdPartyCookieBrowser());
    await signIn();
    const subject = String(subjectOf(await idToken()));
    const linking = { connection: "people", scopes: ["openid", "email"], appState: { from: "settings" } };
    await page.evaluate((given) => void window.client.connectAccountWithRedirect(given), linking);
    await page.waitForURL(`${provider.issuer}/**`);
    await page.fill("input[name=login]", "cleo");
    await page.fill("input[name=password]", "x");
    await page.click("button[type=submit]");
    await page.click("button[type=submit]");
    await page.waitForURL(`${app.origin}/?**`);
    expect(new URL(page.url()).searchParams.has("connect_code")).toBe(true);
    await start({});
    expect(await page.evaluate(() => window.client.handleRedirectCallback())).toMatchObject({
      response_type: "connect_code",
      connection: "people",
      appState: { from: "settings" },
      scopes: expect.arrayContaining(["openid"]),
    });
    const identities = (await manage("GET", `/api/v2/users/${encodeURIComponent(subject)}`)).body;
    expect(identities).toMatchObject({ identities: [{}, { connection: "people" }] });
  });

  test("adds an authenticator app and passes it if a refresh requires a second factor", async () => {
    const manage = await managerOf(postern.service);
    expect((await manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true })).status).toBe(200);
    await signIn({ useRefreshTokens: true, cacheLocation: "localstorage" });
    requiresFactor = true;
    onTestFinished(() => void (requiresFactor = false));
    const refused = await page.evaluate(() =>
      window.client.getTokenSilently({ cacheMode: "off" }).then(
        () => ({ error: "none", mfa_token: "" }),
        ({ error, mfa_token }: { readonly error: string; readonly mfa_token: string }) => ({ error, mfa_token }),
      ),
    );
    expect(refused).toEqual({ error: "mfa_required", mfa_token: expect.any(String) });
    const mfaToken = refused.mfa_token;
    const { secret = "" } = await page.evaluate((given) => window.client.mfa.enroll({ mfaToken: given, factorType: "otp" }), mfaToken);
    const otp = totpAt(secret, Date.now());
    const verified = await page.evaluate((given) => window.client.mfa.verify(given), { mfaToken, otp });
    expect(decodeJwt(verified.id_token ?? "")).toMatchObject({ acr: "http://schemas.openid.net/pape/policies/2007/06/multi-factor" });
    requiresFactor = false;
    expect(subjectOf(await token({ cacheMode: "off" }))).toBe(String(subjectOf(await idToken())));
  });

  test("signs in with a popup", async () => {
    await open();
    const opening = context.waitForEvent("page");
    await page.evaluate(() => void (window.opened = window.client.loginWithPopup()));
    await signInOn(await opening);
    await page.evaluate(() => window.opened);
    expect(await page.evaluate(() => window.client.getUser())).toMatchObject({ email: user });
    expect(webMessages).toBeGreaterThan(0);
  });
});

const idToken = (): Promise<string> => page.evaluate(async () => (await window.client.getIdTokenClaims())?.__raw ?? "");

const subjectOf = (jwt: string): unknown => decodeJwt(jwt).sub;

function sessionOf(jwt: string): string {
  return String(decodeJwt(jwt)["sid"]);
}
