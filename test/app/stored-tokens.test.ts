import { createSessions, type SessionStore } from "@postern/app";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { organizationsBy } from "../support/organizations.ts";
import { clientSecret } from "../support/postern.ts";
import { appUrl, openApp, secret, type AppBrowser } from "./app-browser.ts";
import { openStoreApp, readPage, appSessionCookie, type AppWithStore } from "./store-app.ts";

const api = "https://orders.example.test";
const day = 86_400_000;

const tokenAt = async (browser: AppBrowser, query = "", process = 1): Promise<string> => {
  const page = await readPage(browser, `/token${query}`, process);
  if (typeof page["token"] !== "string") throw new Error(`no token: ${JSON.stringify(page)}`);
  return page["token"];
};
const tokenRequests = ({ requests }: AppWithStore): number => requests.filter((path) => path === "/oauth/token").length;
const revision = async ({ data }: AppWithStore): Promise<number | undefined> =>
  (await data.collections.app_sessions?.find({ where: { id_hash: { gte: "" } }, limit: 2 }))?.[0]?.revision;

/** Requires that the user stays signed in through further refreshes, in both processes. */
async function expectToLast(app: AppWithStore, browser: AppBrowser, processes: readonly number[] = [1]): Promise<void> {
  for (let i = 0; i < 3; i++) {
    app.clock.advance(day);
    for (const process of processes) await tokenAt(browser, "", process);
  }
  expect(await readPage(browser, "/")).toEqual({ email: "ada@example.test" });
  expect(await app.service.postern.tenant("main").logs.list({ q: "type:ferrt" })).toEqual([]);
}

describe("the access token of the sign-in", () => {
  test("is refreshed once for 32 parallel requests in a process", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const first = await tokenAt(browser);
    expect(await tokenAt(browser)).toBe(first);
    app.clock.advance(day);
    const before = tokenRequests(app);
    const tokens = new Set(await Promise.all(Array.from({ length: 32 }, () => tokenAt(browser))));
    expect([tokens.size, tokens.has(first), tokenRequests(app) - before]).toEqual([1, false, 1]);
    expect(await revision(app)).toBe(2);
    await expectToLast(app, browser);
  });

  test("is refreshed by 32 parallel requests in two processes, which keep one session", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    await app.openSecondProcess();
    app.clock.advance(day);
    const before = tokenRequests(app);
    const tokens = await Promise.all(Array.from({ length: 32 }, (_, i) => tokenAt(browser, "", (i % 2) + 1)));
    expect(tokenRequests(app) - before).toBe(2);
    // The loser of the race returns the winner's token.
    expect(new Set(tokens).size).toBe(1);
    expect(await revision(app)).toBe(2);
    await expectToLast(app, browser, [1, 2]);
  });

  test("is refreshed without a cookie, so that server components can refresh it", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    app.clock.advance(day);
    const headers = new Headers({ cookie: `__Host-app_session.0=${appSessionCookie(browser)}` });
    const token = await app.sessions.getAccessToken({ url: appUrl, headers });
    expect(token).toEqual(expect.any(String));
    expect(await tokenAt(browser)).toBe(token);
  });

  test.each([
    ["the same access token", ""],
    ["another access token", "?organization=acme"],
  ])("is not lost if the refresh token is rejected while another process refreshes %s", async (_, query) => {
    let isRejected = false;
    const app = await openStoreApp({
      send: (fetch) => async (request, extra) => {
        if (!isRejected || new URL(request.url).pathname !== "/oauth/token") return fetch(request, extra);
        isRejected = false;
        await tokenAt(browser, query, 2);
        return Response.json({ error: "invalid_grant" }, { status: 400 });
      },
    });
    await app.createOrganization("acme");
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    await app.openSecondProcess();
    app.clock.advance(day);
    isRejected = true;
    expect(await tokenAt(browser)).toBe(await tokenAt(browser, "", 2));
    await expectToLast(app, browser, [1, 2]);
  });

  test("ends the session if the refresh token was revoked", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    await app.data.collections.refresh_tokens.update({ tenant_id: "main", user_id: app.service.ada.userId }, { set: { revoked_at: 1 } });
    app.clock.advance(day);
    expect(await readPage(browser, "/token")).toEqual({ token: null });
    expect(await readPage(browser, "/")).toEqual({ email: null });
    expect(await revision(app)).toBeUndefined();
  });

  test("is used until it expires if the session has no refresh token", async () => {
    const app = await openStoreApp({ options: { scope: "openid email" } });
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const first = await tokenAt(browser);
    app.clock.advance(day - 30_000);
    expect(await tokenAt(browser)).toBe(first);
    app.clock.advance(60_000);
    expect(await readPage(browser, "/token")).toEqual({ token: null });
    expect(await readPage(browser, "/token?organization=acme")).toEqual({ error: "refresh_token_missing" });
  });

  test("is refreshed again after a process crashed between the refresh and its write", async () => {
    let crashes = false;
    const wrap = (store: SessionStore): SessionStore => ({
      ...store,
      set: async (...parameters) => {
        if (crashes) throw new Error("the process died");
        return store.set(...parameters);
      },
    });
    const app = await openStoreApp({ wrap });
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    app.clock.advance(day);
    crashes = true;
    await expect(tokenAt(browser)).rejects.toThrow("the process died");
    crashes = false;
    app.clock.advance(3_600_000);
    await tokenAt(browser);
    await expectToLast(app, browser);
  });

  test("is not lost if each write loses a race, and the request fails", async () => {
    let loses = false;
    const wrap = (store: SessionStore): SessionStore => ({ ...store, set: async (...parameters) => !loses && store.set(...parameters) });
    const app = await openStoreApp({ wrap });
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    app.clock.advance(day);
    loses = true;
    await expect(tokenAt(browser)).rejects.toThrow("concurrent requests keep changing the session");
    loses = false;
    await expectToLast(app, browser);
  });
});

describe("the access token for an API and an organization", () => {
  let app: AppWithStore;
  let browser: AppBrowser;
  let acme: string;
  let globex: string;

  beforeEach(async () => {
    app = await openStoreApp({ options: { audience: api, scope: "openid email offline_access read:orders" } });
    await organizationsBy(app.service.manage).createApi(api, "read:orders");
    [acme, globex] = [await app.createOrganization("acme"), await app.createOrganization("globex")];
    browser = app.openBrowser();
    await browser.signIn(app.service.ada);
  });

  const organizationIn = (token: string): unknown => decodeJwt(token)["org_id"];

  test("is stored per pair, so that two tabs use two organizations", async () => {
    const [first, second] = [await tokenAt(browser, `?organization=${acme}`), await tokenAt(browser, "?organization=globex")];
    expect([organizationIn(first), organizationIn(second), organizationIn(await tokenAt(browser))]).toEqual([acme, globex, undefined]);
    const before = tokenRequests(app);
    expect(await tokenAt(browser, `?organization=${acme}`)).toBe(first);
    expect(await tokenAt(browser, `?organization=globex&audience=${api}`)).toBe(second);
    expect(tokenRequests(app)).toBe(before);
    await expectToLast(app, browser);
  });

  test("stays stored with the others if two tabs refresh different ones at once, in two processes", async () => {
    await app.openSecondProcess();
    for (let i = 0; i < 5; i++) {
      const queries = ["", `?organization=${acme}`, `?organization=${globex}`];
      const requested = queries.flatMap((query) => [1, 2].map((process) => ({ query, process })));
      const tokens = await Promise.all(requested.map(({ query, process }) => tokenAt(browser, query, process)));
      expect(tokens.map(organizationIn)).toEqual([undefined, undefined, acme, acme, globex, globex]);
      const before = tokenRequests(app);
      const again = await Promise.all(requested.map(({ query, process }) => tokenAt(browser, query, process)));
      expect([new Set(again).size, tokenRequests(app) - before]).toEqual([3, 0]);
      app.clock.advance(day);
    }
    expect(await readPage(browser, "/")).toEqual({ email: "ada@example.test" });
    expect(await app.service.postern.tenant("main").logs.list({ q: "type:ferrt" })).toEqual([]);
  });

  test("is rejected for an organization that the user is not, or no longer, a member of", async () => {
    const foreign = await organizationsBy(app.service.manage).create("initech");
    expect(await readPage(browser, `/token?organization=${foreign}`)).toEqual({ error: "access_denied" });
    expect(await readPage(browser, "/token?organization=unknown")).toEqual({ error: "access_denied" });
    await tokenAt(browser, "?organization=acme");
    await organizationsBy(app.service.manage).removeMember(acme, app.service.ada);
    expect(await readPage(browser, "/token?organization=acme")).toEqual({ error: "access_denied" });
    await organizationsBy(app.service.manage).addMembers(acme, app.service.ada);
    expect(organizationIn(await tokenAt(browser, "?organization=acme"))).toBe(acme);
    expect(await readPage(browser, "/")).toEqual({ email: "ada@example.test" });
  });

  test("is rejected for an API that the refresh token is not for", async () => {
    expect(await readPage(browser, "/token?audience=https://other.example.test")).toEqual({ error: "invalid_target" });
    expect(await tokenAt(browser, `?audience=${api}`)).toBe(await tokenAt(browser));
  });

  test("is the token of the sign-in if the user signed in to the organization", async () => {
    const member = await openStoreApp({ options: { organization: "acme" } });
    const id = await member.createOrganization("acme");
    const tab = member.openBrowser();
    await tab.signIn(member.service.ada);
    expect(await tokenAt(tab, `?organization=${id}`)).toBe(await tokenAt(tab));
  });

  test("is removed when the session has ten later ones, and is requested again", async () => {
    const names = Array.from({ length: 11 }, (_, i) => `tenant-${i}`);
    for (const name of names) await app.createOrganization(name);
    const tokens = new Map<string, string>();
    for (const name of names) tokens.set(name, await tokenAt(browser, `?organization=${name}`));
    const before = tokenRequests(app);
    for (const name of names.slice(1)) expect(await tokenAt(browser, `?organization=${name}`)).toBe(tokens.get(name));
    expect(tokenRequests(app)).toBe(before);
    expect(await tokenAt(browser, "?organization=tenant-0")).not.toBe(tokens.get("tenant-0"));
  });

  test("requires a store", async () => {
    const { sessions, client, service } = await openApp();
    const message = "getAccessToken: 'audience' and 'organization' require the option 'store' of createSessions";
    for (const options of [{ organization: "acme" }, { audience: api }])
      await expect(sessions.getAccessToken({ url: appUrl, headers: new Headers() }, options)).rejects.toThrow(message);
    const base = { postern: service.postern, tenantId: "main", clientId: client.clientId, clientSecret, appUrl, secret };
    expect(await createSessions(base).getAccessToken({ url: appUrl, headers: new Headers() }, {})).toBeUndefined();
  });
});
