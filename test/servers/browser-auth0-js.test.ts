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
import { password, user } from "./support/people.ts";
import { signInOn } from "./support/person.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";
import { openTolerantBrowser } from "./support/tolerant-browser.ts";

type Callback = (error: unknown, result?: unknown) => void;

/** What these tests call of the SDK. */
interface WebAuth {
  signup(options: object, done: Callback): void;
  login(options: object, done: Callback): void;
  changePassword(options: object, done: Callback): void;
  passwordlessStart(options: object, done: Callback): void;
  passwordlessLogin(options: object, done: Callback): void;
  parseHash(options: object, done: Callback): void;
}

/** What the page of the app calls it by. Another SDK of the vendor's has the same name. */
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

/** What the SDK calls back with: its error, or its result. */
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

/** Signs in from the app's own page: by success the page is left. */
async function leave(method: "login" | "passwordlessLogin", options: object): Promise<void> {
  await page.evaluate(
    ({ domain, called, given }) => {
      const { WebAuth }: Sdk = Object(window).auth0;
      const sdk = new WebAuth({ domain, clientID: "app", redirectUri: `${location.origin}/`, responseType: "token id_token" });
      sdk[called](given, (error) => document.body.append(JSON.stringify(error)));
    },
    { domain: new URL(postern.issuer).host, called: method, given: options },
  );
}

const logIn = (): Promise<void> => leave("login", { realm: connection, username: user, password });

describe("auth0-js", () => {
  test("signs somebody up, and tells why it cannot", async () => {
    await openStrict();
    const person = { connection, email: "new@example.test", password: newPassword, user_metadata: { plan: "gold" }, given_name: "Ada" };
    const { error, result } = await call("signup", person);
    expect(error).toBeNull();
    expect(result).toMatchObject({ email: "new@example.test", emailVerified: false, givenName: "Ada", userMetadata: { plan: "gold" } });
    expect(result).toHaveProperty("Id");

    expect((await call("signup", person)).error).toMatchObject({ code: "invalid_signup", description: "Invalid sign up", statusCode: 400 });
    const weak = { ...person, email: "other@example.test", password: "short" };
    expect((await call("signup", weak)).error).toMatchObject({
      code: "invalid_password",
      name: "PasswordStrengthError",
      policy: expect.stringContaining("At least 8 characters"),
    });
    expect((await call("signup", { ...person, connection: "never" })).error).toMatchObject({ code: "invalid_request" });
  });

  test("cannot read what belongs to an app of another origin", async () => {
    await openStrict();
    const person = { connection, email: "theirs@example.test", password: newPassword };
    const { error } = await call("signup", person, "elsewhere");
    expect(error).not.toHaveProperty("statusCode");
  });

  test("signs in from the app's own page, and checks the tokens that come back", async () => {
    await open(await openTolerantBrowser());
    await logIn();
    await page.waitForURL(`${app.origin}/#**`);
    const { error, result } = await call("parseHash", { hash: new URL(page.url()).hash });
    expect(error).toBeNull();
    expect(result).toMatchObject({ tokenType: "Bearer", idTokenPayload: { aud: "app", iss: postern.issuer } });
  });

  test("tells what is wrong with a password", async () => {
    await open(await openTolerantBrowser());
    const { error } = await call("login", { realm: connection, username: user, password: "wrong" });
    expect(error).toMatchObject({ code: "INVALID_CREDENTIALS", description: "Wrong email or password." });
    expect((await call("login", { realm: connection, username: user, password }, "elsewhere")).error).not.toMatchObject({
      code: "INVALID_CREDENTIALS",
    });
  });

  test("signs in by a code that is typed on the app's own page", async () => {
    await open(await openTolerantBrowser());
    const place = { connection: "email", email: "code@example.test" };
    expect((await call("passwordlessStart", { ...place, send: "code" })).error).toBeNull();
    const code = codeOf(outbox.take(place.email));
    const wrong = await call("passwordlessLogin", { ...place, verificationCode: differentCode(code) });
    expect(wrong.error).toMatchObject({ code: "invalid_grant" });
    await leave("passwordlessLogin", { ...place, verificationCode: code });
    await page.waitForURL(`${app.origin}/#**`);
    expect((await call("parseHash", { hash: new URL(page.url()).hash })).error).toBeNull();
  });

  test("has a link sent to set a new password, and is told the same of nobody", async () => {
    await openStrict();
    const { error, result } = await call("changePassword", { connection, email: user });
    expect(error).toBeNull();
    expect(result).toEqual(expect.any(String));
    expect(outbox.take(user).link).toContain("/u/reset-password?");
    expect((await call("changePassword", { connection, email: "nobody@example.test" })).result).toEqual(result);
  });

  test("leads to the login page where the browser keeps no cookie of another site, and on from there", async () => {
    await openStrict();
    await logIn();
    await page.waitForURL(`${postern.issuer}u/login**`);
    await signInOn(page);
    await page.waitForURL(`${app.origin}/#**`);
    expect((await call("parseHash", { hash: new URL(page.url()).hash })).error).toBeNull();
  });
});
