import { SignInError, type SessionOptions, type Sessions } from "@postern/app";
import { expect, test } from "vitest";
import { organizationsBy } from "../support/organizations.ts";
import { appUrl, openApp, type AppBrowser, type AppWithSessions, type RequestHandler } from "./app-browser.ts";

const api = "https://orders.example.test";

/** Node rejects a request whose URL and headers together have more bytes. Without cookies, a browser sends about 1,500 bytes. */
const nodeLimit = 16_384 - 1500;

/** Opens an app whose user Ada has permissions. Access tokens contain them. */
async function openWithPermissions(
  count: number,
  options: Partial<SessionOptions> = {},
  pages?: (sessions: Sessions) => RequestHandler,
): Promise<AppWithSessions> {
  const app = await openApp({ audience: api, ...options }, pages);
  const { service } = app;
  const organizations = organizationsBy(service.manage);
  const names = Array.from({ length: count }, (_, index) => `read:resource-number-${index}`);
  await organizations.createApi(api, ...names);
  const roleId = await organizations.createRole("many", api, ...names);
  await service.postern.tenant("main").users.roles.add(service.ada.userId, { roles: [roleId] });
  return app;
}

const lineOf = ({ cookies }: AppBrowser): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
const attemptsIn = ({ cookies }: AppBrowser): readonly string[] => [...cookies.keys()].filter((name) => name.includes("_in."));

const sessionPages =
  (sessions: Sessions): RequestHandler =>
  async (request) => {
    const lines: string[] = [];
    const exchange = { url: request.url, headers: request.headers, setCookie: (line: string) => void lines.push(line) };
    const response = (await sessions.handle(request)) ?? Response.json({ token: (await sessions.getAccessToken(exchange)) ?? null });
    for (const line of lines) response.headers.append("set-cookie", line);
    return response;
  };

test("with 100 permissions and five started sign-ins, the cookies stay below 8 KiB", async () => {
  const { service, openBrowser } = await openWithPermissions(100);
  const browser = openBrowser();
  for (let i = 0; i < 5; i++) await browser.send("/login");
  await browser.signIn(service.ada);
  expect(lineOf(browser).length).toBeLessThan(8192);
  for (let i = 0; i < 5; i++) {
    await browser.send("/login");
    expect(lineOf(browser).length).toBeLessThan(8192);
  }
  expect(attemptsIn(browser).length).toBeGreaterThan(0);
});

test("with 215 permissions and five started sign-ins, old attempts are deleted first, so that a server accepts the cookies", async () => {
  const { service, openBrowser } = await openWithPermissions(215, {}, sessionPages);
  const browser = openBrowser();
  await browser.signIn(service.ada);
  for (let i = 0; i < 5; i++) await browser.send("/login");
  expect(lineOf(browser).length).toBeLessThan(nodeLimit);
  expect(attemptsIn(browser)).toHaveLength(1);
  expect(await (await browser.send("/")).json()).toMatchObject({ token: expect.any(String) });
  expect((await browser.signIn(service.ada)).headers.get("location")).toBe(appUrl);
  expect((await browser.send("/logout", { method: "POST" })).status).toBe(303);
  expect([...browser.cookies.keys()]).toEqual([]);
});

test("a session that cookies cannot store is passed to onError with a cure, and the former session stays", async () => {
  const errors: SignInError[] = [];
  const onError: SessionOptions["onError"] = (error) => {
    errors.push(error);
    return new Response("too large", { status: 500 });
  };
  const { service, openBrowser } = await openWithPermissions(300, { onError }, sessionPages);
  const browser = openBrowser();
  await browser.signIn(service.bob);
  const former = lineOf(browser);
  const other = openBrowser();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  expect((await other.signIn(service.ada)).status).toBe(500);
  expect(errors.map(({ code }) => code)).toEqual(["session_too_large"]);
  expect(errors[0]?.message).toMatch(/\d+ bytes of cookies, \d+ of them for the session.*'token_dialect'/);
  expect(lineOf(other)).toBe(former);
});

test("an access token that grows too large at a refresh ends the session and is logged, without an exception", async () => {
  const { service, openBrowser } = await openWithPermissions(1, {}, sessionPages);
  const browser = openBrowser();
  await browser.signIn(service.ada);
  const names = Array.from({ length: 300 }, (_, index) => `write:resource-number-${index}`);
  const [found] = await service.postern.tenant("main").resourceServers.list({ identifiers: [api] });
  await service.postern.tenant("main").resourceServers.update(found?.id ?? "", { scopes: names.map((value) => ({ value })) });
  const roleId = await organizationsBy(service.manage).createRole("more", api, ...names);
  await service.postern.tenant("main").users.roles.add(service.ada.userId, { roles: [roleId] });
  service.clock.advance(86_400_000);
  const response = await browser.send("/");
  expect([response.status, await response.json()]).toEqual([200, { token: null }]);
  expect([...browser.cookies.keys()]).toEqual([]);
  expect(service.faults).toContainEqual(expect.objectContaining({ level: "error", event: "sign_in_failed", code: "session_too_large" }));
});

test("cookies of the app itself count, so that the browser's cookies stay below the limit of servers", async () => {
  const { service, openBrowser } = await openWithPermissions(100);
  const browser = openBrowser();
  browser.cookies.set("preferences", "x".repeat(3500));
  browser.cookies.set("cart", "x".repeat(3500));
  expect((await browser.signIn(service.ada)).status).toBe(500);
  expect(lineOf(browser).length).toBeLessThan(nodeLimit);
});

test("a return path that would be too long for a cookie after percent-encoding leads to the home page", async () => {
  const { service, openBrowser } = await openApp();
  const browser = openBrowser();
  for (const returnTo of [`/${"ä".repeat(1900)}`, `/${"a".repeat(1999)}`, `/${"a".repeat(1400)}`]) {
    const started = await browser.send(`/login?${new URLSearchParams({ returnTo })}`);
    for (const line of started.headers.getSetCookie()) expect(line.length).toBeLessThan(4096);
    const callback = await browser.authorize(started.headers.get("location") ?? "", service.ada);
    const { pathname } = new URL((await browser.send(callback)).headers.get("location") ?? "");
    expect(pathname).toBe(returnTo.length < 1500 ? returnTo : "/");
  }
});

test.each(["a session that has ended", "a session of another secret"])(
  "%s in a cookie of a longer path, which browsers send first, does not hide the session",
  async (what) => {
    const url = "http://localhost:3000/";
    const { service, sessions, openBrowser } = await openApp({ appUrl: url });
    const former = openBrowser();
    await former.signIn(service.ada);
    const stale = what.endsWith("ended") ? lineOf(former) : "app_session.0=a.b.c.d.e; app_session.1=rest";
    await former.send("/logout", { method: "POST" });
    const browser = openBrowser();
    await browser.signIn(service.bob);
    const headers = new Headers({ cookie: `${stale}; ${lineOf(browser)}`, "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" });
    expect(await sessions.requireSession({ url: `${url}private`, headers })).toMatchObject({ user: { email: "bob@example.test" } });
    const signedOut = await sessions.handle(new Request(`${url}logout`, { headers, method: "POST" }));
    expect(signedOut?.status).toBe(303);
    expect(await sessions.getSession({ url, headers })).toBeUndefined();
  },
);

test("of two sessions at different paths, the latest one counts, and a sign-out ends both", async () => {
  const url = "http://localhost:3000/";
  const { service, sessions, openBrowser } = await openApp({ appUrl: url });
  const former = openBrowser();
  await former.signIn(service.ada);
  service.clock.advance(10_000);
  const browser = openBrowser();
  await browser.signIn(service.bob);
  const headers = new Headers({ cookie: `${lineOf(former)}; ${lineOf(browser)}`, "sec-fetch-site": "same-origin" });
  expect(await sessions.getSession({ url, headers })).toMatchObject({ user: { email: "bob@example.test" } });
  await sessions.handle(new Request(`${url}logout`, { headers, method: "POST" }));
  expect(await sessions.getSession({ url, headers })).toBeUndefined();
});
