import { decodeJwt } from "jose";
import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser, resolvesHosts } from "../pages/browser.ts";
import { managerOf, stringMember, type Manager } from "../support/api.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { openRecorded, recorded, type RecordedProvider } from "../upstream/recorded-providers.ts";
import { serveProviderPages, type RecordedSignIn, type ProviderPages } from "./support/provider-pages.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { password } from "./support/fixtures.ts";
import { clickAction, enterPassword, enterIdentifier } from "./support/login-page.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

/**
 * Published account takeovers that use several ways to sign in to one account: "Pre-hijacked accounts" (USENIX Security
 * 2022) and "nOAuth" (2023). Each test runs Mallory's attack in one browser and shows what she can reach. The victim
 * then signs in to the app in another browser.
 */
const clientSecret = "a-secret-that-is-long-enough-for-tests";
const malloryPassword = "chosen by mallory alone";
const database = "Username-Password-Authentication";
const outbox = createOutbox();

/** A recorded provider whose claims and responses a test can change for the next sign-in. */
type ChangeableProvider = RecordedProvider & { claims?: { readonly [name: string]: unknown }; replies: { [url: string]: unknown } };

const profileOfFacebook = "https://graph.facebook.com/v23.0/me";
const withClaims = (provider: RecordedProvider): ChangeableProvider => ({ ...provider, replies: { ...provider.replies } });
const google = withClaims(recorded["google-oauth2"]);
// A multi-tenant directory. Any Microsoft customer can create a tenant there and claim any email address for its users.
const microsoft: ChangeableProvider = {
  ...withClaims(recorded.waad),
  options: { ...recorded.waad.options, tenantId: undefined, useCommonEndpoint: true },
  authorize: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
  token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
  keys: "https://login.microsoftonline.com/common/discovery/v2.0/keys",
};
const facebook = withClaims(recorded.facebook);
const providers = { "google-oauth2": google, waad: microsoft, facebook };
type Name = keyof typeof providers;
const names: readonly Name[] = ["google-oauth2", "waad", "facebook"];

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let app: OpenIdApp;
let postern: SecurePostern;
let manage: Manager;
let pages: ProviderPages;
const signIns = new Map<Name, RecordedSignIn>();
const contexts: BrowserContext[] = [];
let number = 0;
/** The victim's page and email address. */
let victim: Page;
let mallory: Page;
let email: string;

beforeAll(async () => {
  for (const name of names) {
    const provider = providers[name];
    signIns.set(name, { provider, answering: await openRecorded(provider, () => Math.floor(Date.now() / 1000)) });
  }
  const fetch = async (request: Request): Promise<Response> => {
    const { hostname } = new URL(request.url);
    const name = hostname.endsWith("microsoftonline.com") ? "waad" : hostname.endsWith("facebook.com") ? "facebook" : "google-oauth2";
    return signIns.get(name)?.answering.fetch(request) ?? new Response(null, { status: 503 });
  };
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const settings = { name: "Web", app_type: "regular_web" as const, callbacks: [`${server.origin}/callback`] };
  postern = await serveSecurely(
    { tenantId: "main", clients: [{ clientId: "web", secret: clientSecret, settings }] },
    { network: { fetch }, messages: { mail: outbox.mail } },
  );
  await postern.service.postern.seed({
    tenantId: "main",
    connections: [
      { name: "Username-Password-Authentication", strategy: "auth0", clients: ["web"], sync: true },
      ...names.map((name) => ({
        name,
        strategy: name,
        clients: ["web"],
        settings: { show_as_button: true, options: { ...providers[name].options, allow_callback_auth_time: true } },
      })),
    ],
  });
  manage = await managerOf(postern.service);
  app = createOpenIdApp(await configure(postern, "web", clientSecret), server.origin);
  serveApp = app.serve;
  pages = await serveProviderPages((address) => [...signIns.values()].find(({ provider }) => provider.authorize === address));
  browser = await launchBrowser([`${resolvesHosts},${pages.resolves}`]);
});
afterAll(async () => {
  await browser.close();
  await pages.close();
  await postern.close();
  await server.close();
});

beforeEach(async () => {
  email = `person-${++number}@people.example`;
  [victim, mallory] = await Promise.all([open(), open()]);
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

async function open(): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: "en-US" });
  contexts.push(context);
  return context.newPage();
}

/** Sets the claims or the profile that a provider returns at the next sign-in. */
const setGoogleClaims = (claims: object): unknown => (google.claims = { ...recorded["google-oauth2"].claims, ...claims });
const setMicrosoftClaims = (claims: object): unknown => (microsoft.claims = { ...recorded.waad.claims, ...claims });
const setFacebookProfile = (profile: object): unknown => (facebook.replies[profileOfFacebook] = { name: "A user", ...profile });

/** Signs in with a provider and waits until the browser is back at Postern or the app. */
async function signInWithProvider(page: Page, name: Name): Promise<void> {
  await page.goto(`${server.origin}/login?prompt=login`);
  await page.click(`form:has(input[value="${name}"]) button`);
  await page.click("#allow");
  await page.waitForURL((url) => !url.pathname.includes("/authorize") && url.hostname.endsWith(".test"));
}

/** Waits until the browser is back at the app. @returns the user who signed in. */
async function signedInUser(page: Page): Promise<{ readonly email?: string; readonly sub: unknown }> {
  await page.waitForURL(`${server.origin}/callback*`);
  return { ...JSON.parse((await page.textContent("body")) ?? ""), sub: decodeJwt(app.tokens().id_token ?? "").sub };
}

/** Signs in with a password. */
async function signInWithPassword(page: Page, text: string, identifier = email): Promise<void> {
  await page.goto(`${server.origin}/login?prompt=login`);
  await enterIdentifier(page, identifier);
  await enterPassword(page, text);
}

async function expectNoSession(page: Page): Promise<void> {
  await page.goto(`${server.origin}/login?prompt=none`);
  await page.waitForURL(`${server.origin}/callback*`);
  expect(JSON.parse((await page.textContent("body")) ?? "")).toMatchObject({ error: "login_required" });
}

async function expectNoPassword(page: Page, text = malloryPassword): Promise<void> {
  await signInWithPassword(page, text);
  expect(await page.textContent("[role=alert]")).toContain("Wrong email or password.");
}

/**
 * Creates an account with the victim's email address and Mallory's password. The address is not verified.
 * @returns its id.
 */
async function createAsMallory(more: object = {}): Promise<string> {
  return stringMember(await manage.create("/api/v2/users", { connection: database, email, password: malloryPassword, ...more }), "user_id");
}

/** Confirms the ownership of the account's email address with a code. */
async function confirmWithCode(page: Page): Promise<void> {
  expect(await page.textContent("h1")).toBe("Link your account");
  await clickAction(page, "send-link-code");
  await page.fill("#code", codeOf(outbox.take(email)));
  await clickAction(page, "enter-code");
}

/** Sets another password with a code by mail, starting at the app. */
async function resetPassword(page: Page): Promise<void> {
  await page.goto(`${server.origin}/login`);
  await enterIdentifier(page, email);
  await clickAction(page, "forgot-password");
  await clickAction(page, "send-reset");
  await page.fill("#code", codeOf(outbox.take(email)));
  await clickAction(page, "enter-code");
  await page.fill("#password", password);
  await clickAction(page, "set-password");
}

test("classic-federated merge: a code gives the victim the account that Mallory created, and disables her password", async () => {
  const id = await createAsMallory();
  setGoogleClaims({ sub: `merge-${email}`, email });
  await signInWithProvider(victim, "google-oauth2");
  await confirmWithCode(victim);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
  await expectNoPassword(mallory);
});

test("unexpired session: a password reset ends Mallory's session and refresh token", async () => {
  const id = await createAsMallory();
  await signInWithPassword(mallory, malloryPassword);
  expect(await signedInUser(mallory)).toMatchObject({ email, sub: id });
  const refreshToken = app.tokens().refresh_token ?? "";
  await resetPassword(victim);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
  await expectNoSession(mallory);
  const form = { grant_type: "refresh_token", client_id: "web", client_secret: clientSecret, refresh_token: refreshToken };
  const renewed = await postern.fetch(`${postern.issuer}oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  expect({ status: renewed.status, ...((await renewed.json()) as object) }).toMatchObject({ status: 400, error: "invalid_grant" });
});

test("trojan identifier: the identity that Mallory linked no longer opens the account after a password reset", async () => {
  const id = await createAsMallory();
  setMicrosoftClaims({ oid: "11111111-ff1a-4d56-abd1-7e4f7d38e474", email });
  await signInWithProvider(mallory, "waad");
  await clickAction(mallory, "link-account");
  await enterPassword(mallory, malloryPassword);
  expect(await signedInUser(mallory)).toMatchObject({ sub: id });
  await resetPassword(victim);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
  await expectNoSession(mallory);
  await signInWithProvider(mallory, "waad");
  const { sub } = await signedInUser(mallory);
  expect(sub).not.toBe(id);
  await signInWithPassword(victim, password);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
});

test("unexpired email change: a link that was mailed to Mallory's address has no effect after the address changed", async () => {
  const own = `mallory-${number}@evil.example`;
  const { user_id: id } = await manage.create("/api/v2/users", { connection: database, email: own, password: malloryPassword });
  const job = { user_id: id, client_id: "web" };
  await manage.create("/api/v2/jobs/verification-email", job);
  await expect.poll(() => outbox.sent.some(({ to }) => to === own)).toBe(true);
  const { link = "" } = outbox.take(own);
  const changed = await manage("PATCH", `/api/v2/users/${encodeURIComponent(String(id))}`, { email, email_verified: false });
  expect(changed.status).toBe(200);
  await resetPassword(victim);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
  await mallory.goto(link);
  expect(await mallory.textContent("h1")).toBe("This link is no longer valid");
  expect(await mallory.locator("button[value=yes], button[value=confirm]").count()).toBe(0);
  await signInWithPassword(victim, password);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
  await expectNoPassword(mallory);
});

test("a provider that does not verify addresses: Mallory's account there with the victim's address gets no access", async () => {
  const { user_id: id } = await manage.create("/api/v2/users", { connection: database, email, password, email_verified: true });
  setFacebookProfile({ id: `666${number}`, email });
  await signInWithProvider(mallory, "facebook");
  expect(await mallory.textContent("h1")).toBe("Link your account");
  await clickAction(mallory, "link-account");
  await enterPassword(mallory, malloryPassword);
  expect(await mallory.textContent("[role=alert]")).toContain("Wrong email or password.");
  await expectNoSession(mallory);

  setFacebookProfile({ id: `42${number}`, email });
  await signInWithProvider(victim, "facebook");
  await clickAction(victim, "link-account");
  await enterPassword(victim);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
});

test("unverified account first: a provider that is authoritative for the address gives the victim the account and locks Mallory out", async () => {
  email = `person-${number}@gmail.com`;
  const id = await createAsMallory();
  await signInWithPassword(mallory, malloryPassword);
  expect(await signedInUser(mallory)).toMatchObject({ sub: id });
  setGoogleClaims({ sub: `first-${number}`, email });
  await signInWithProvider(victim, "google-oauth2");
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
  await expectNoSession(mallory);
  await expectNoPassword(mallory);
});

test("nOAuth: an email claim of Mallory's directory does not give her the victim's account", async () => {
  const first = { oid: "22222222-ff1a-4d56-abd1-7e4f7d38e474", email };
  setMicrosoftClaims(first);
  await signInWithProvider(victim, "waad");
  const { sub } = await signedInUser(victim);

  const evil = "66666666-7f1a-4c0e-9a53-0a1b2c3d4e5f";
  const claims = { iss: `https://login.microsoftonline.com/${evil}/v2.0`, tid: evil, oid: "66666666-ff1a-4d56-abd1-7e4f7d38e474" };
  setMicrosoftClaims({ ...claims, email: `mallory-${number}@evil.example` });
  await signInWithProvider(mallory, "waad");
  const { sub: mallorySub } = await signedInUser(mallory);
  setMicrosoftClaims({ ...claims, email });
  await signInWithProvider(mallory, "waad");
  expect(await signedInUser(mallory)).toMatchObject({ sub: mallorySub });
  expect(mallorySub).not.toBe(sub);

  setMicrosoftClaims(first);
  await signInWithProvider(victim, "waad");
  expect(await signedInUser(victim)).toMatchObject({ email, sub });
});

test("variants of the email address: a different case requires a proof of ownership, and lookalike letters make another address", async () => {
  const { user_id: id } = await manage.create("/api/v2/users", { connection: database, email, password, email_verified: true });
  setGoogleClaims({ sub: `upper-${number}`, email: email.toUpperCase() });
  await signInWithProvider(mallory, "google-oauth2");
  expect(await mallory.textContent("h1")).toBe("Link your account");
  // Cyrillic letters that look like Latin letters.
  setGoogleClaims({ sub: `cyrillic-${number}`, email: email.replaceAll("e", "е").replaceAll("o", "о") });
  await signInWithProvider(mallory, "google-oauth2");
  const other = await signedInUser(mallory);
  expect(other).not.toHaveProperty("email");
  expect(other.sub).not.toBe(id);

  setGoogleClaims({ sub: `upper-${number}`, email: email.toUpperCase() });
  await signInWithProvider(victim, "google-oauth2");
  await clickAction(victim, "link-account");
  await enterPassword(victim);
  expect(await signedInUser(victim)).toMatchObject({ email, sub: id });
});

test("a forged user id: a user of the provider does not get the account that Mallory created with the provider's prefix", async () => {
  const subject = `1101694844${number}`;
  const mallorySub = `mallory-${number}@evil.example`;
  const malloryId = await createAsMallory({ email: mallorySub, user_id: `google-oauth2|${subject}` });
  setGoogleClaims({ sub: subject, email });
  await signInWithProvider(victim, "google-oauth2");
  const own = await signedInUser(victim);
  expect(own).toMatchObject({ email });
  expect(own.sub).not.toBe(malloryId);
  await signInWithPassword(mallory, malloryPassword, mallorySub);
  expect(await signedInUser(mallory)).toMatchObject({ email: mallorySub, sub: malloryId });
});
