import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CreateClient } from "@postern/core/api";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { managerOf } from "../support/api.ts";
import { codeOf, createOutbox, differentCode } from "../support/outbox.ts";
import { password, user } from "./support/fixtures.ts";
import { signInOn } from "./support/login-page.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";
import { openThirdPartyCookieBrowser } from "./support/third-party-cookie-browser.ts";

type Callback = (error: unknown, result?: unknown) => void;

/** The SDK methods that these tests call. */
interface WebAuth {
  signup(options: object, done: Callback): void;
  login(options: object, done: Callback): void;
  changePassword(options: object, done: Callback): void;
  passwordlessStart(options: object, done: Callback): void;
  passwordlessLogin(options: object, done: Callback): void;
  parseHash(options: object, done: Callback): void;
}

/** The SDK's global object in the app's page. Another SDK of Auth0 uses the same global name. */
interface Sdk {
  readonly WebAuth: new (options: object) => WebAuth;
}

const connection = "Username-Password-Authentication";
const newPassword = "Correct-horse-7";

const outbox = createOutbox();
let browser: Browser;
let app: SecureServer;
let postern: SecurePostern;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const folder = fileURLToPath(new URL("support/auth0-js", import.meta.url));
  await promisify(execFile)("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"], { cwd: folder });
  const sdk = await readFile(`${folder}/node_modules/auth0-js/dist/auth0.min.js`);
  app = await listenSecurely(hosts.app, (request, response) => {
    if (request.url === "/sdk.js") response.setHeader("content-type", "text/javascript").end(sdk);
    else response.setHeader("content-type", "text/html").end("<!DOCTYPE html><title>App</title><script src=/sdk.js></script>");
  });
  const settings: CreateClient = {
    name: "App",
    app_type: "spa",
    callbacks: [`${app.origin}/`],
    grant_types: ["authorization_code", "implicit"],
    cross_origin_authentication: true,
  };
  postern = await serveSecurely(
    {
      tenantId: "main",
      clients: [
        { clientId: "app", settings },
        {
          clientId: "elsewhere",
          settings: { ...settings, callbacks: ["https://elsewhere.example.test/"] },
        },
      ],
      user: { email: user, password },
    },
    { messages: { mail: outbox.mail } },
  );
  await (await managerOf(postern.service)).create("/api/v2/connections", { name: "email", strategy: "email" });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await app.close();
});
afterEach(() => context.close());

async function open(opened: BrowserContext): Promise<void> {
  context = opened;
  page = await context.newPage();
  await page.goto(`${app.origin}/`);
}

const openStrict = async (): Promise<void> => open(await browser.newContext({ ignoreHTTPSErrors: true }));

/** Calls a method of the SDK. @returns the error or the result that it passes to its callback. */
function call(
  method: keyof WebAuth,
  options: object,
  clientID = "app",
): Promise<{ readonly error: object | null; readonly result?: object }> {
  return page.evaluate(
    ({ domain, called, given, client }) =>
      new Promise((resolve) => {
        const { WebAuth }: Sdk = Object(window).auth0;
        const sdk = new WebAuth({ domain, clientID: client, redirectUri: `${location.origin}/`, responseType: "token id_token" });
        sdk[called](given, (error, result) => resolve(JSON.parse(JSON.stringify({ error, result }))));
      }),
    { domain: new URL(postern.issuer).host, called: method, given: options, client: clientID },
  );
}

/** Signs in from the app's own page. On success the browser leaves the page. */
async function signInFromApp(method: "login" | "passwordlessLogin", options: object): Promise<void> {
  await page.evaluate(
    ({ domain, called, given }) => {
      const { WebAuth }: Sdk = Object(window).auth0;
      const sdk = new WebAuth({ domain, clientID: "app", redirectUri: `${location.origin}/`, responseType: "token id_token" });
      sdk[called](given, (error) => document.body.append(JSON.stringify(error)));
    },
    { domain: new URL(postern.issuer).host, called: method, given: options },
  );
}

const signInWithPassword = (): Promise<void> => signInFromApp("login", { realm: connection, username: user, password });

describe("auth0-js", () => {
  test("signs a user up, and returns Auth0's errors for a duplicate or weak sign-up", async () => {
    await openStrict();
    const newUser = { connection, email: "new@example.test", password: newPassword, user_metadata: { plan: "gold" }, given_name: "Ada" };
    const { error, result } = await call("signup", newUser);
    expect(error).toBeNull();
    expect(result).toMatchObject({ email: "new@example.test", emailVerified: false, givenName: "Ada", userMetadata: { plan: "gold" } });
    expect(result).toHaveProperty("Id");

    expect((await call("signup", newUser)).error).toMatchObject({
      code: "invalid_signup",
      description: "Invalid sign up",
      statusCode: 400,
    });
    const weak = { ...newUser, email: "other@example.test", password: "short" };
    expect((await call("signup", weak)).error).toMatchObject({
      code: "invalid_password",
      name: "PasswordStrengthError",
      policy: expect.stringContaining("At least 8 characters"),
    });
    expect((await call("signup", { ...newUser, connection: "never" })).error).toMatchObject({ code: "invalid_request" });
  });

  test("cannot read responses for a client of another origin", async () => {
    await openStrict();
    const newUser = { connection, email: "theirs@example.test", password: newPassword };
    const { error } = await call("signup", newUser, "elsewhere");
    expect(error).not.toHaveProperty("statusCode");
  });

  test("signs in from the app's own page and validates the returned tokens", async () => {
    await open(await openThirdPartyCookieBrowser());
    await signInWithPassword();
    await page.waitForURL(`${app.origin}/#**`);
    const { error, result } = await call("parseHash", { hash: new URL(page.url()).hash });
    expect(error).toBeNull();
    expect(result).toMatchObject({ tokenType: "Bearer", idTokenPayload: { aud: "app", iss: postern.issuer } });
  });

  test("returns the error for a wrong password", async () => {
    await open(await openThirdPartyCookieBrowser());
    const { error } = await call("login", { realm: connection, username: user, password: "wrong" });
    expect(error).toMatchObject({ code: "INVALID_CREDENTIALS", description: "Wrong email or password." });
    expect((await call("login", { realm: connection, username: user, password }, "elsewhere")).error).not.toMatchObject({
      code: "INVALID_CREDENTIALS",
    });
  });

  test("signs in with a code that is entered on the app's own page", async () => {
    await open(await openThirdPartyCookieBrowser());
    const recipient = { connection: "email", email: "code@example.test" };
    expect((await call("passwordlessStart", { ...recipient, send: "code" })).error).toBeNull();
    const code = codeOf(outbox.take(recipient.email));
    const wrong = await call("passwordlessLogin", { ...recipient, verificationCode: differentCode(code) });
    expect(wrong.error).toMatchObject({ code: "invalid_grant" });
    await signInFromApp("passwordlessLogin", { ...recipient, verificationCode: code });
    await page.waitForURL(`${app.origin}/#**`);
    expect((await call("parseHash", { hash: new URL(page.url()).hash })).error).toBeNull();
  });

  test("requests a password reset link, and gets the same response for an unknown address", async () => {
    await openStrict();
    const { error, result } = await call("changePassword", { connection, email: user });
    expect(error).toBeNull();
    expect(result).toEqual(expect.any(String));
    expect(outbox.take(user).link).toContain("/u/reset-password?");
    expect((await call("changePassword", { connection, email: "unknown@example.test" })).result).toEqual(result);
  });

  test("redirects to the login page and back if the browser blocks third-party cookies", async () => {
    await openStrict();
    await signInWithPassword();
    await page.waitForURL(`${postern.issuer}u/login**`);
    await signInOn(page);
    await page.waitForURL(`${app.origin}/#**`);
    expect((await call("parseHash", { hash: new URL(page.url()).hash })).error).toBeNull();
  });
});
