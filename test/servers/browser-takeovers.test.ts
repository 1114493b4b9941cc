import { decodeJwt } from "jose";
import type { RequestListener } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser, resolvesHosts } from "../pages/browser.ts";
import { managerOf, text, type Manager } from "../support/api.ts";
import { codeOf, createOutbox } from "../support/outbox.ts";
import { openRecorded, recorded, type RecordedProvider } from "../upstream/recorded-providers.ts";
import { serveAskingPages, type Asking, type AskingPages } from "./support/asking-pages.ts";
import { configure, createOpenIdApp, type OpenIdApp } from "./support/openid-app.ts";
import { password } from "./support/people.ts";
import { act, givePassword, sayWho } from "./support/person.ts";
import { hosts, listenSecurely, serveSecurely, type SecurePostern, type SecureServer } from "./support/secure.ts";

/**
 * The published ways to take over accounts where several ways to sign in lead to one ("Pre-hijacked accounts", USENIX Security 2022; "nOAuth", 2023), in two browsers: Mallory's attack, what it
 * brings her, and how the person whom it was aimed at gets into the app all the same.
 */
const clientSecret = "a-secret-that-is-long-enough-for-tests";
const chosen = "chosen by mallory alone";
const database = "Username-Password-Authentication";
const outbox = createOutbox();

/** What a provider says of whoever comes next. */
type Saying = RecordedProvider & { claims?: { readonly [name: string]: unknown }; replies: { [url: string]: unknown } };

const profileOfFacebook = "https://graph.facebook.com/v23.0/me";
const saying = (provider: RecordedProvider): Saying => ({ ...provider, replies: { ...provider.replies } });
const google = saying(recorded["google-oauth2"]);
// A directory that anybody can open: whatever its administrator says is somebody's address.
const microsoft: Saying = {
  ...saying(recorded.waad),
  options: { ...recorded.waad.options, tenantId: undefined, useCommonEndpoint: true },
  authorize: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
  token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
  keys: "https://login.microsoftonline.com/common/discovery/v2.0/keys",
};
const facebook = saying(recorded.facebook);
const providers = { "google-oauth2": google, waad: microsoft, facebook };
type Name = keyof typeof providers;
const names: readonly Name[] = ["google-oauth2", "waad", "facebook"];

let browser: Browser;
let server: SecureServer;
let serveApp: RequestListener = () => {};
let app: OpenIdApp;
let postern: SecurePostern;
let manage: Manager;
let pages: AskingPages;
const asking = new Map<Name, Asking>();
const contexts: BrowserContext[] = [];
let number = 0;
/** The person whom an attack is aimed at, and their address. */
let victim: Page;
let mallory: Page;
let email: string;

beforeAll(async () => {
  for (const name of names) {
    const provider = providers[name];
    asking.set(name, { provider, answering: await openRecorded(provider, () => Math.floor(Date.now() / 1000)) });
  }
  const fetch = async (request: Request): Promise<Response> => {
    const { hostname } = new URL(request.url);
    const name = hostname.endsWith("microsoftonline.com") ? "waad" : hostname.endsWith("facebook.com") ? "facebook" : "google-oauth2";
    return asking.get(name)?.answering.fetch(request) ?? new Response(null, { status: 503 });
  };
  server = await listenSecurely(hosts.app, (request, response) => serveApp(request, response));
  const settings = { name: "Web", app_type: "regular_web" as const, callbacks: [`${server.origin}/callback`] };
  postern = await serveSecurely(
    { tenantId: "main", clients: [{ clientId: "web", secret: clientSecret, settings }] },
    { network: { fetch }, messages: { mail: outbox.mail } },
  );
  await postern.service.postern.seed({
    tenantId: "main",
    connections: names.map((name) => ({
      name,
      strategy: name,
      clients: ["web"],
      settings: { show_as_button: true, options: { ...providers[name].options, allow_callback_auth_time: true } },
    })),
  });
  manage = await managerOf(postern.service);
  app = createOpenIdApp(await configure(postern, "web", clientSecret), server.origin);
  serveApp = app.serve;
  pages = await serveAskingPages((address) => [...asking.values()].find(({ provider }) => provider.authorize === address));
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

/** Has a provider say something of whoever comes next. */
const sayAtGoogle = (claims: object): unknown => (google.claims = { ...recorded["google-oauth2"].claims, ...claims });
const sayAtMicrosoft = (claims: object): unknown => (microsoft.claims = { ...recorded.waad.claims, ...claims });
const sayAtFacebook = (profile: object): unknown => (facebook.replies[profileOfFacebook] = { name: "Somebody", ...profile });

/** Signs in by a provider, as whoever it says, and stays at the page or answer that comes of this. */
async function comeBy(page: Page, name: Name): Promise<void> {
  await page.goto(`${server.origin}/login?prompt=login`);
  await page.click(`form:has(input[value="${name}"]) button`);
  await page.click("#allow");
  await page.waitForURL((url) => !url.pathname.includes("/authorize") && url.hostname.endsWith(".test"));
}

/** Who is signed in to the app now. */
async function inApp(page: Page): Promise<{ readonly email?: string; readonly sub: unknown }> {
  await page.waitForURL(`${server.origin}/callback*`);
  return { ...JSON.parse((await page.textContent("body")) ?? ""), sub: decodeJwt(app.tokens().id_token ?? "").sub };
}

/** Signs in by password, and stays at what comes of this. */
async function signInBy(page: Page, text: string, identifier = email): Promise<void> {
  await page.goto(`${server.origin}/login?prompt=login`);
  await sayWho(page, identifier);
  await givePassword(page, text);
}

async function expectNoSession(page: Page): Promise<void> {
  await page.goto(`${server.origin}/login?prompt=none`);
  await page.waitForURL(`${server.origin}/callback*`);
  expect(JSON.parse((await page.textContent("body")) ?? "")).toMatchObject({ error: "login_required" });
}

async function expectNoPassword(page: Page, text = chosen): Promise<void> {
  await signInBy(page, text);
  expect(await page.textContent("[role=alert]")).toContain("Wrong email or password.");
}

/** An account on the person's address that Mallory made: nobody has proved it. @returns its id. */
async function madeByMallory(more: object = {}): Promise<string> {
  return text(await manage.create("/api/v2/users", { connection: database, email, password: chosen, ...more }), "user_id");
}

/** Shows by a code that the address of an account is one's own. */
async function showByCode(page: Page): Promise<void> {
  expect(await page.textContent("h1")).toBe("You already have an account");
  await act(page, "send-link-code");
  await page.fill("#code", codeOf(outbox.take(email)));
  await act(page, "enter-code");
}

/** Sets another password by a code, from the app on. */
async function resetPassword(page: Page): Promise<void> {
  await page.goto(`${server.origin}/login`);
  await sayWho(page, email);
  await act(page, "forgot-password");
  await act(page, "send-reset");
  await page.fill("#code", codeOf(outbox.take(email)));
  await act(page, "enter-code");
  await page.fill("#password", password);
  await act(page, "set-password");
}

test("classic-federated merge: the account that Mallory made first is the person's own, and her password opens nothing", async () => {
  const id = await madeByMallory();
  sayAtGoogle({ sub: `merge-${email}`, email });
  await comeBy(victim, "google-oauth2");
  await showByCode(victim);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
  await expectNoPassword(mallory);
});

test("unexpired session: Mallory's session and refresh token end when the person sets a password", async () => {
  const id = await madeByMallory();
  await signInBy(mallory, chosen);
  expect(await inApp(mallory)).toMatchObject({ email, sub: id });
  const kept = app.tokens().refresh_token ?? "";
  await resetPassword(victim);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
  await expectNoSession(mallory);
  const form = { grant_type: "refresh_token", client_id: "web", client_secret: clientSecret, refresh_token: kept };
  const renewed = await postern.fetch(`${postern.issuer}oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  expect({ status: renewed.status, ...((await renewed.json()) as object) }).toMatchObject({ status: 400, error: "invalid_grant" });
});

test("trojan identifier: the identity that Mallory linked to the account opens it no more", async () => {
  const id = await madeByMallory();
  sayAtMicrosoft({ oid: "11111111-ff1a-4d56-abd1-7e4f7d38e474", email });
  await comeBy(mallory, "waad");
  await act(mallory, "link-account");
  await givePassword(mallory, chosen);
  expect(await inApp(mallory)).toMatchObject({ sub: id });
  await resetPassword(victim);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
  await expectNoSession(mallory);
  await comeBy(mallory, "waad");
  const { sub } = await inApp(mallory);
  expect(sub).not.toBe(id);
  await signInBy(victim, password);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
});

test("unexpired change of the address: a link that waits at Mallory's own address does nothing to the account any more", async () => {
  const own = `mallory-${number}@evil.example`;
  const { user_id: id } = await manage.create("/api/v2/users", { connection: database, email: own, password: chosen });
  const job = { user_id: id, client_id: "web" };
  await manage.create("/api/v2/jobs/verification-email", job);
  await expect.poll(() => outbox.sent.some(({ to }) => to === own)).toBe(true);
  const { link = "" } = outbox.take(own);
  const changed = await manage("PATCH", `/api/v2/users/${encodeURIComponent(String(id))}`, { email, email_verified: false });
  expect(changed.status).toBe(200);
  await resetPassword(victim);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
  await mallory.goto(link);
  expect(await mallory.textContent("h1")).toBe("This link is no longer valid");
  expect(await mallory.locator("button[value=yes], button[value=confirm]").count()).toBe(0);
  await signInBy(victim, password);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
  await expectNoPassword(mallory);
});

test("a provider that verifies no addresses: Mallory's account there, under the person's address, opens nothing", async () => {
  const { user_id: id } = await manage.create("/api/v2/users", { connection: database, email, password, email_verified: true });
  sayAtFacebook({ id: `666${number}`, email });
  await comeBy(mallory, "facebook");
  expect(await mallory.textContent("h1")).toBe("You already have an account");
  await act(mallory, "link-account");
  await givePassword(mallory, chosen);
  expect(await mallory.textContent("[role=alert]")).toContain("Wrong email or password.");
  await expectNoSession(mallory);

  sayAtFacebook({ id: `42${number}`, email });
  await comeBy(victim, "facebook");
  await act(victim, "link-account");
  await givePassword(victim);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
});

test("unverified account first: whom the provider knows for certain has the account at once, and Mallory is out", async () => {
  email = `person-${number}@gmail.com`;
  const id = await madeByMallory();
  await signInBy(mallory, chosen);
  expect(await inApp(mallory)).toMatchObject({ sub: id });
  sayAtGoogle({ sub: `first-${number}`, email });
  await comeBy(victim, "google-oauth2");
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
  await expectNoSession(mallory);
  await expectNoPassword(mallory);
});

test("nOAuth: a directory's word that Mallory has the person's address makes her nobody but herself", async () => {
  const first = { oid: "22222222-ff1a-4d56-abd1-7e4f7d38e474", email };
  sayAtMicrosoft(first);
  await comeBy(victim, "waad");
  const { sub } = await inApp(victim);

  const evil = "66666666-7f1a-4c0e-9a53-0a1b2c3d4e5f";
  const claims = { iss: `https://login.microsoftonline.com/${evil}/v2.0`, tid: evil, oid: "66666666-ff1a-4d56-abd1-7e4f7d38e474" };
  sayAtMicrosoft({ ...claims, email: `mallory-${number}@evil.example` });
  await comeBy(mallory, "waad");
  const { sub: hers } = await inApp(mallory);
  sayAtMicrosoft({ ...claims, email });
  await comeBy(mallory, "waad");
  expect(await inApp(mallory)).toMatchObject({ sub: hers });
  expect(hers).not.toBe(sub);

  sayAtMicrosoft(first);
  await comeBy(victim, "waad");
  expect(await inApp(victim)).toMatchObject({ email, sub });
});

test("variants of the address in case and alphabet: the same letters are asked, others are another address", async () => {
  const { user_id: id } = await manage.create("/api/v2/users", { connection: database, email, password, email_verified: true });
  sayAtGoogle({ sub: `upper-${number}`, email: email.toUpperCase() });
  await comeBy(mallory, "google-oauth2");
  expect(await mallory.textContent("h1")).toBe("You already have an account");
  // Cyrillic letters that look like Latin ones.
  sayAtGoogle({ sub: `cyrillic-${number}`, email: email.replaceAll("e", "е").replaceAll("o", "о") });
  await comeBy(mallory, "google-oauth2");
  const stranger = await inApp(mallory);
  expect(stranger).not.toHaveProperty("email");
  expect(stranger.sub).not.toBe(id);

  sayAtGoogle({ sub: `upper-${number}`, email: email.toUpperCase() });
  await comeBy(victim, "google-oauth2");
  await act(victim, "link-account");
  await givePassword(victim);
  expect(await inApp(victim)).toMatchObject({ email, sub: id });
});

test("an id that pretends to be of a provider: who comes from the provider is not in Mallory's account", async () => {
  const subject = `1101694844${number}`;
  const hers = `mallory-${number}@evil.example`;
  const given = await madeByMallory({ email: hers, user_id: `google-oauth2|${subject}` });
  sayAtGoogle({ sub: subject, email });
  await comeBy(victim, "google-oauth2");
  const own = await inApp(victim);
  expect(own).toMatchObject({ email });
  expect(own.sub).not.toBe(given);
  await signInBy(mallory, chosen, hers);
  expect(await inApp(mallory)).toMatchObject({ email: hers, sub: given });
});
