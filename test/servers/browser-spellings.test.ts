import type { RequestListener } from "node:http";
import * as client from "openid-client";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser } from "../pages/browser.ts";
import { totpAt } from "../factors/support.ts";
import { jsonBody, list, managerOf, stringMember, type Manager } from "../support/api.ts";
import { addConnection } from "../support/client-connections.ts";
import { codeOf, createOutbox, typedInScript, type Outbox } from "../support/outbox.ts";
import { password } from "./support/fixtures.ts";
import { clickAction, enterIdentifier, enterPassword } from "./support/login-page.ts";
import { configure, createOpenIdApp } from "./support/openid-app.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

/** Users, browsers and hosts spell addresses, codes, URLs and origins differently from what is stored. */

const clientSecret = "a-secret-that-is-long-enough-for-tests";
const database = "Username-Password-Authentication";
const appKey = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

let browser: Browser;
let server: SecureServer;
let postern: SecurePostern;
let outbox: Outbox;
let manage: Manager;
let configuration: client.Configuration;
let serveApp: RequestListener = () => {};
let context: BrowserContext;
let page: Page;
/** The origin of the app with a host name outside ASCII, and its spelling in ASCII. */
let umlaut: { readonly typed: string; readonly sent: string };

beforeAll(async () => {
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const { port } = new URL(server.origin);
  umlaut = { typed: `https://bücher.test:${port}`, sent: `https://xn--bcher-kva.test:${port}` };
  outbox = createOutbox();
  const settings = {
    name: "Web",
    app_type: "regular_web" as const,
    callbacks: [`${server.origin}/callback`, `${umlaut.typed}/callback/zurück`],
    allowed_logout_urls: [`${server.origin}/bye`],
    cross_origin_authentication: true,
    allowed_origins: [server.origin.replace("https://app", "HTTPS://App")],
  };
  postern = await serveSecurely(
    { tenantId: "main", clients: [{ clientId: "web", secret: clientSecret, settings }], user: { email: "ann@example.com", password } },
    { messages: { mail: outbox.mail, sms: outbox.sms } },
  );
  manage = await managerOf(postern.service);
  configuration = await configure(postern, "web", clientSecret);
  serveApp = createOpenIdApp(configuration, server.origin).serve;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await postern.close();
  await server.close();
});

beforeEach(async () => {
  context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-US" });
  page = await context.newPage();
});
afterEach(() => context.close());

const begin = (query = ""): Promise<unknown> => page.goto(`${server.origin}/login?${query}`);

/** Waits until the browser is back at the app. @returns the user's email address in the app. */
async function signedInAs(): Promise<unknown> {
  await page.waitForURL(`${server.origin}/**`);
  return (JSON.parse((await page.textContent("body")) ?? "") as { readonly email?: unknown }).email;
}

async function signUp(email: string, spell: (code: string) => string): Promise<void> {
  await begin("screen_hint=signup");
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await clickAction(page, "make-account");
  const to = outbox.sent.at(-1)?.to ?? "";
  await page.fill("input[name=code]", spell(codeOf(outbox.take(to))));
  await clickAction(page, "enter-code");
}

test("every character that an email field accepts signs up and in, with a code in Arabic digits", async () => {
  const email = "o'brien+a&b/c=d!#^`@example.com";
  await signUp(email, (code) => typedInScript(code, "arabic"));
  expect(await signedInAs()).toBe(email);
  await begin("prompt=login");
  await enterIdentifier(page, email);
  await enterPassword(page);
  expect(await signedInAs()).toBe(email);
});

test("both spellings of an internationalised domain are one account, with a code in Devanagari digits", async () => {
  await signUp("mira@bücher.example", (code) => typedInScript(code, "devanagari"));
  const email = await signedInAs();
  for (const typed of ["mira@bücher.example", "Mira@XN--BCHER-KVA.example"]) {
    await begin("prompt=login");
    await enterIdentifier(page, typed);
    await enterPassword(page);
    expect(await signedInAs()).toBe(email);
  }
  expect(list(await manage("GET", "/api/v2/users?q=email:mira*"))).toHaveLength(1);
});

test("a code of an authenticator app counts in full-width digits", async () => {
  const user = await manage.create("/api/v2/users", { connection: database, email: "with-app@example.com", password });
  const path = `/api/v2/users/${encodeURIComponent(stringMember(user, "user_id"))}/authentication-methods`;
  jsonBody(await manage("PUT", "/api/v2/guardian/factors/otp", { enabled: true }));
  await manage.create(path, { type: "totp", totp_secret: appKey });
  await begin(new URLSearchParams({ acr_values: "http://schemas.openid.net/pape/policies/2007/06/multi-factor" }).toString());
  await enterIdentifier(page, "with-app@example.com");
  await enterPassword(page);
  await page.fill("input[name=code]", typedInScript(totpAt(appKey, postern.service.clock.now()), "fullWidth"));
  await clickAction(page, "enter-factor-code");
  expect(await signedInAs()).toBe("with-app@example.com");
});

test("a phone number with a 0 after the country code gets no message, and the page shows the right spelling", async () => {
  const { id } = await manage.create("/api/v2/connections", { name: "sms", strategy: "sms" });
  await addConnection(manage, "web", String(id));
  await begin("connection=sms");
  await enterIdentifier(page, "+61 0412 345 678");
  expect(await page.textContent("#problem")).toContain("+61412345678");
  // Mail of an earlier test may still arrive.
  expect(outbox.sent.filter((message) => !("html" in message))).toEqual([]);
  await enterIdentifier(page, "+61 412 345 678");
  await page.waitForSelector("input[name=code]");
  expect(outbox.take("+61412345678").code).toBeDefined();
});

test("a redirect URL outside ASCII leads to the host and path as the browser sends them", async () => {
  const url = client.buildAuthorizationUrl(configuration, { redirect_uri: `${umlaut.typed}/callback/zurück`, scope: "openid", state: "s" });
  await page.goto(url.href);
  await enterIdentifier(page, "ann@example.com");
  await enterPassword(page);
  await page.waitForURL(`${umlaut.sent}/**`);
  expect(new URL(page.url()).pathname).toBe("/callback/zur%C3%BCck");
  expect(new URL(page.url()).searchParams.get("code")).not.toBeNull();
});

test("/v2/logout returns to a registered URL in another spelling and with a query", async () => {
  const returnTo = `${server.origin.replace("https://app", "HTTPS://App")}/bye?from=menu#top`;
  await page.goto(`${postern.issuer}v2/logout?${new URLSearchParams({ client_id: "web", returnTo })}`);
  await page.waitForURL(`${server.origin}/**`);
  expect(page.url()).toBe(`${server.origin}/bye?from=menu#top`);
});

test("an origin that was registered in capital letters may read responses", async () => {
  await page.goto(`${server.origin}/page`);
  const status = await page.evaluate(
    async ([url = "", secret]) => {
      const body = { client_id: "web", credential_type: "http://auth0.com/oauth/grant-type/password-realm", ...JSON.parse(secret ?? "") };
      const headers = { "content-type": "application/json" };
      const response = await fetch(url, { method: "POST", credentials: "include", headers, body: JSON.stringify(body) });
      return [response.status, Object.keys((await response.json()) as object)] as const;
    },
    [`${postern.issuer}co/authenticate`, JSON.stringify({ realm: database, username: "ann@example.com", password })],
  );
  expect(status).toEqual([200, expect.arrayContaining(["login_ticket"])]);
});
