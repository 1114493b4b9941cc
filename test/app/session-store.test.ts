import { appSessions, createSessions, type SessionStore } from "@postern/app";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test, vi } from "vitest";
import { clientSecret } from "../support/postern.ts";
import { appUrl, openApp, secret } from "./app-browser.ts";
import { copyOf, openStoreApp, readPage, appSessionCookie, type AppWithStore } from "./store-app.ts";

const ada = { email: "ada@example.test" };
const signedOut = { email: null };
const week = 7 * 86_400_000;

const rowsOf = ({ data }: Pick<AppWithStore, "data">) =>
  data.collections.app_sessions?.find({ where: { id_hash: { gte: "" } }, limit: 100 }) ?? Promise.resolve([]);
const keyOf = async (id: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id))).toString("base64url");

describe("a session in a store", () => {
  test("is a random id in a short cookie, and an encrypted row under the hash of the id", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    const lines = (await browser.signIn(app.service.ada)).headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"));
    expect(lines).toEqual([
      expect.stringMatching(/^__Host-app_session\.0=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/),
    ]);
    expect(await readPage(browser, "/")).toEqual(ada);
    const { token } = await readPage(browser, "/token");
    const [row, ...more] = await rowsOf(app);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      id_hash: await keyOf(appSessionCookie(browser)),
      tenant_id: "main",
      client_id: app.client.clientId,
      revision: 1,
    });
    expect(row).toMatchObject({ sub: app.service.ada.userId, sid: expect.stringMatching(/./), expires_at: app.clock.now() + week });
    const readable = JSON.stringify(row) + Buffer.from(row?.content ?? "", "base64url").toString("latin1");
    for (const text of [appSessionCookie(browser), String(token), "ada@example.test"]) expect(readable).not.toContain(text);
  });

  test("is useless to a thief of the row, also in the row of another session", async () => {
    const app = await openStoreApp();
    const [browser, thief] = [app.openBrowser(), app.openBrowser()];
    await browser.signIn(app.service.ada);
    await thief.signIn(app.service.bob);
    const adaKey = await keyOf(appSessionCookie(browser));
    const [stolen] = (await rowsOf(app)).filter((row) => row.id_hash === adaKey);
    await app.data.collections.app_sessions?.update(
      { id_hash: await keyOf(appSessionCookie(thief)) },
      { set: { content: stolen?.content ?? "" } },
    );
    expect(await readPage(thief, "/")).toEqual(signedOut);
    for (const value of [adaKey, stolen?.content ?? ""]) {
      thief.cookies.set("__Host-app_session.0", value);
      expect(await readPage(thief, "/")).toEqual(signedOut);
    }
    expect(await readPage(browser, "/")).toEqual(ada);
  });

  test("gets a new id at each sign-in, and replaces the former session of the browser", async () => {
    const app = await openStoreApp();
    const [attacker, victim] = [app.openBrowser(), app.openBrowser()];
    await attacker.signIn(app.service.bob);
    const planted = appSessionCookie(attacker);
    victim.cookies.set("__Host-app_session.0", planted);
    await victim.signIn(app.service.ada);
    expect(appSessionCookie(victim)).not.toBe(planted);
    expect(await readPage(victim, "/")).toEqual(ada);
    expect(await readPage(attacker, "/")).toEqual(signedOut);
    const invented = "A".repeat(43);
    const other = app.openBrowser();
    other.cookies.set("__Host-app_session.0", invented);
    await other.signIn(app.service.ada);
    expect(appSessionCookie(other)).not.toBe(invented);
    expect(await rowsOf(app)).toHaveLength(2);
  });

  test("is not a session of an app with another tenant, client or secret, which does not delete it either", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const { postern } = app.service;
    const base = { postern, tenantId: "main", clientId: app.client.clientId, appUrl, secret, now: () => app.clock.now(), store: app.store };
    const headers = new Headers({ cookie: `__Host-app_session.0=${appSessionCookie(browser)}` });
    const read = (changed: object) => createSessions({ ...base, ...changed }).getSession({ url: appUrl, headers });
    for (const changed of [{ tenantId: "other" }, { clientId: "app-99" }, { secret: `${secret}!` }])
      expect(await read(changed)).toBeUndefined();
    expect(await read({ secret: [`${secret}!`, secret] })).toMatchObject({ user: ada });
    expect(await readPage(browser, "/")).toEqual(ada);
    const page = new Headers({ ...Object.fromEntries(headers), accept: "text/html" });
    const mismatch = await createSessions({ ...base, secret: `${secret}!` }).requireSession({ url: appUrl, headers: page });
    expect(await (mismatch instanceof Response ? mismatch.text() : "")).toContain("secret_mismatch");
  });

  test("has expired after a week, even if the store still returned it, and is deleted by the sweep", async () => {
    const app = await openStoreApp({ wrap: (store) => ({ ...store, get: (key) => appSessions(app.data, { now: () => 0 }).get(key) }) });
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    app.clock.advance(week - 1000);
    expect(await readPage(browser, "/")).toEqual(ada);
    app.clock.advance(2000);
    expect(await app.store.get(await keyOf(appSessionCookie(browser)))).toBeUndefined();
    expect(await readPage(browser, "/")).toEqual(signedOut);
    expect(await rowsOf(app)).toHaveLength(1);
    await app.service.postern.jobs.sweep();
    expect(await rowsOf(app)).toEqual([]);
  });

  test("ends when the tenant no longer accepts it, and its row is deleted", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    await app.service.postern.tenant("main").users.update(app.service.ada.userId, { blocked: true });
    expect(await readPage(browser, "/")).toEqual(signedOut);
    expect(await rowsOf(app)).toEqual([]);
  });

  test("survives a store that is not available, and the request fails", async () => {
    let fails = false;
    const wrap = (store: SessionStore): SessionStore => ({
      ...store,
      get: async (key) => {
        if (fails) throw new Error("unavailable");
        return store.get(key);
      },
    });
    const app = await openStoreApp({ wrap });
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    fails = true;
    await expect(browser.send("/")).rejects.toThrow("unavailable");
    fails = false;
    expect(await readPage(browser, "/")).toEqual(ada);
  });

  test("is one session if the browser sends the callback twice at once", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    const callback = await browser.authorize((await browser.send("/login")).headers.get("location") ?? "", app.service.ada);
    await Promise.all([browser.send(callback), browser.send(callback)]);
    expect(await readPage(browser, "/")).toEqual(ada);
    expect(await rowsOf(app)).toHaveLength(1);
  });

  test("replaces the session that the browser's cookies contain since before the app had a store", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    const { postern } = app.service;
    const base = { postern, tenantId: "main", clientId: app.client.clientId, clientSecret, appUrl, secret, now: () => app.clock.now() };
    const former = createSessions(base);
    const started = await former.handle(new Request(`${appUrl}login`));
    const callback = await browser.authorize(started?.headers.get("location") ?? "", app.service.ada);
    const cookie =
      started?.headers
        .getSetCookie()
        .map((line) => line.split(";", 1)[0])
        .join("; ") ?? "";
    const completed = await former.handle(new Request(callback, { headers: { cookie } }));
    for (const line of completed?.headers.getSetCookie() ?? []) {
      const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split("=");
      if (value !== "") browser.cookies.set(name, value);
    }
    expect(appSessionCookie(browser).length).toBeGreaterThan(1000);
    expect(await readPage(browser, "/")).toEqual(signedOut);
    await browser.signIn(app.service.ada);
    expect([...browser.cookies.values()].map((value) => value.length)).toEqual([43]);
    expect(await readPage(browser, "/")).toEqual(ada);
  });
});

describe("a sign-out", () => {
  test("in one tab ends the session in the other, and deletes every copy of the cookie's session", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const copy = copyOf(app, browser);
    await browser.send("/logout", { method: "POST" });
    expect([...browser.cookies.keys()]).toEqual([]);
    expect(await rowsOf(app)).toEqual([]);
    expect(await readPage(copy, "/")).toEqual(signedOut);
    expect(await readPage(copy, "/token")).toEqual({ token: null });
  });

  test("also deletes the session of a sign-in in another tab, whose cookie was replaced", async () => {
    const app = await openStoreApp();
    const browser = app.openBrowser();
    const started = await Promise.all([browser.send("/login"), browser.send("/login")]);
    const callbacks: string[] = [];
    for (const one of started) callbacks.push(await browser.authorize(one.headers.get("location") ?? "", app.service.ada));
    await Promise.all(callbacks.map((callback) => browser.send(callback)));
    expect(await rowsOf(app)).toHaveLength(2);
    await browser.send("/logout", { method: "POST" });
    expect(await rowsOf(app)).toEqual([]);
  });

  test.each(["/oauth/token", "set"])("is not undone by a refresh that is waiting for %s", async (place) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    let isRefreshing = false;
    const wait = async (at: string): Promise<void> => {
      if (!isRefreshing || at !== place) return;
      reach();
      await gate;
    };
    const app = await openStoreApp({
      wrap: (store) => ({ ...store, set: async (...parameters) => (await wait("set"), store.set(...parameters)) }),
      send: (fetch) => async (request, extra) => {
        const response = await fetch(request, extra);
        await wait(new URL(request.url).pathname);
        return response;
      },
    });
    const browser = app.openBrowser();
    await browser.signIn(app.service.ada);
    const tab = copyOf(app, browser);
    app.clock.advance(86_400_000);
    isRefreshing = true;
    const refreshed = readPage(tab, "/token");
    await reached;
    await browser.send("/logout", { method: "POST" });
    open();
    expect(await refreshed).toEqual({ token: null });
    expect(await rowsOf(app)).toEqual([]);
    expect(await readPage(tab, "/")).toEqual(signedOut);
  });
});

test("deleteWhere ends the sessions of one user or of one session at the tenant, in one app", async () => {
  const app = await openStoreApp();
  const [first, second, third] = [app.openBrowser(), app.openBrowser(), app.openBrowser()];
  await first.signIn(app.service.ada);
  await second.signIn(app.service.ada);
  await third.signIn(app.service.bob);
  const owner = { tenantId: "main", clientId: app.client.clientId };
  const states = () => Promise.all([first, second, third].map(async (browser) => (await readPage(browser, "/"))["email"]));
  await app.store.deleteWhere({ ...owner, clientId: "app-99", sub: app.service.ada.userId });
  await app.store.deleteWhere({ ...owner, tenantId: "other", sub: app.service.ada.userId });
  expect(await states()).toEqual(["ada@example.test", "ada@example.test", "bob@example.test"]);
  const firstKey = await keyOf(appSessionCookie(first));
  const sid = (await rowsOf(app)).find((row) => row.id_hash === firstKey)?.sid ?? "";
  await app.store.deleteWhere({ ...owner, sid });
  expect(await states()).toEqual([null, "ada@example.test", "bob@example.test"]);
  await app.store.deleteWhere({ ...owner, sub: app.service.ada.userId });
  expect(await states()).toEqual([null, null, "bob@example.test"]);
});

test("an adapter without the collection app_sessions works, and only appSessions reports it", async () => {
  const { app_sessions: _, ...collections } = createMemoryAdapter({ strict: true }).collections;
  const data: DataAdapter = { collections };
  const message = "the data adapter omits the collection 'app_sessions'";
  expect(() => appSessions(data)).toThrow(message);
  await expect(appSessions(async () => data).get("key")).rejects.toThrow(message);
  const { service, openBrowser } = await openApp({}, undefined, { data });
  expect((await openBrowser().signIn(service.ada)).status).toBe(303);
  await service.postern.jobs.sweep();
});

test("a store that does not respond fails the request after eight seconds", async () => {
  const app = await openStoreApp({ wrap: (store) => ({ ...store, get: () => new Promise(() => {}) }) });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const headers = new Headers({ cookie: `__Host-app_session.0=${"A".repeat(43)}` });
    const read = expect(app.sessions.getSession({ url: appUrl, headers })).rejects.toThrow(
      "the session store did not respond within 8000 ms",
    );
    // The timer starts after the hash of the id was computed.
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    vi.advanceTimersByTime(8000);
    await read;
  } finally {
    vi.useRealTimers();
  }
});
