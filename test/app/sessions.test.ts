import { createSessions, type Sessions } from "@postern/app";
import { describe, expect, test } from "vitest";
import { openApp, appUrl, secret, type RequestHandler } from "./app-browser.ts";

/** Returns pages that respond with the signed-in user, and at `/token` with the access token. */
const pages =
  (sessions: Sessions): RequestHandler =>
  async (request) => {
    const sessionResponse = await sessions.handle(request);
    if (sessionResponse !== undefined) return sessionResponse;
    const lines: string[] = [];
    const exchange = { url: request.url, headers: request.headers, setCookie: (line: string) => void lines.push(line) };
    const path = new URL(request.url).pathname;
    const session = path === "/private" ? await sessions.requireSession(exchange) : await sessions.getSession(exchange);
    if (session instanceof Response) return session;
    const token = path === "/token" ? await sessions.getAccessToken(exchange) : undefined;
    const response = Response.json({ user: session?.user ?? null, ...(token !== undefined && { token }) });
    for (const line of lines) response.headers.append("set-cookie", line);
    return response;
  };

const emailOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { user: { email?: string } | null }).user?.email;

test("a page redirects to the sign-in if there is no session, and the browser returns to the page after the sign-in", async () => {
  const { service, openBrowser } = await openApp({}, pages);
  const browser = openBrowser();
  const redirected = await browser.send("/private?a=1");
  expect([redirected.status, redirected.headers.get("location")]).toEqual([303, `${appUrl}login?returnTo=%2Fprivate%3Fa%3D1`]);
  const callbackResponse = await browser.signIn(service.ada, redirected.headers.get("location") ?? "");
  expect([callbackResponse.status, callbackResponse.headers.get("location")]).toEqual([303, `${appUrl}private?a=1`]);
  expect(await emailOf(await browser.send("/private"))).toBe("ada@example.test");
  // A script without a session receives 401, not a redirect to a page.
  const script = await openBrowser().send("/private", { headers: { "sec-fetch-mode": "cors" } });
  expect([script.status, await script.json()]).toMatchObject([401, { error: "login_required" }]);
});

test("cookies cannot be read by scripts, sent by other sites or set by other hosts, and do not reveal the tokens", async () => {
  const { service, openBrowser } = await openApp({}, pages);
  const browser = openBrowser();
  const lines = (await browser.signIn(service.ada)).headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines)
    expect(line).toMatch(/^__Host-app_session\.\d=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/);
  const { token } = (await (await browser.send("/token")).json()) as { token: string };
  const [, payload = ""] = token.split(".");
  expect([...browser.cookies.values()].join("")).not.toContain(payload);
  expect([...browser.cookies.keys()].filter((name) => name.includes("_in."))).toEqual([]);
});

describe("an app session ends", () => {
  test.each<[how: string, end: (open: Awaited<ReturnType<typeof openApp>>, sessionId: string) => Promise<unknown>]>([
    ["when an administrator deletes the session", ({ service: { postern } }, id) => postern.tenant("main").sessions.delete(id)],
    ["when the user is blocked", ({ service: { postern, ada } }) => postern.tenant("main").users.update(ada.userId, { blocked: true })],
    ["when the user is deleted", ({ service: { postern, ada } }) => postern.tenant("main").users.delete(ada.userId)],
    [
      "when the password is changed",
      ({ service: { postern, ada } }) => postern.tenant("main").users.update(ada.userId, { password: "another long password" }),
    ],
  ])("%s, at the next request", async (_, end) => {
    const open = await openApp({}, pages);
    const browser = open.openBrowser();
    await browser.signIn(open.service.ada);
    const { sessions } = await open.service.postern.tenant("main").users.sessions.list(open.service.ada.userId);
    await end(open, sessions[0]?.id ?? "");
    expect(await emailOf(await browser.send("/"))).toBeUndefined();
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test("on sign-out, which also ends the session at the tenant and invalidates copied cookies", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    const copy = openBrowser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const signOutResponse = await browser.send("/logout", { method: "POST" });
    expect([signOutResponse.status, signOutResponse.headers.get("location")]).toEqual([303, appUrl]);
    expect(await emailOf(await copy.send("/"))).toBeUndefined();
    const nextSignIn = await browser.send("/login");
    expect((await browser.idp.get(nextSignIn.headers.get("location") ?? "")).headers.get("location")).toContain("/u/login");
  });

  test("after its lifetime, but not when only the session at the tenant has expired", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    service.clock.advance(4 * 86_400_000);
    expect(await service.postern.tenant("main").users.sessions.list(service.ada.userId)).toEqual({ sessions: [] });
    expect(await emailOf(await browser.send("/"))).toBe("ada@example.test");
    service.clock.advance(3 * 86_400_000 + 1000);
    expect(await emailOf(await browser.send("/"))).toBeUndefined();
  });
});

describe("access tokens", () => {
  test("are refreshed before they expire, even by 32 concurrent requests, and the user stays signed in", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    const token = async (response: Response): Promise<string> => ((await response.json()) as { token: string }).token;
    const first = await token(await browser.send("/token"));
    expect(await token(await browser.send("/token"))).toBe(first);
    service.clock.advance(86_400_000);
    const tokens = await Promise.all(Array.from({ length: 32 }, async () => token(await browser.send("/token"))));
    for (const one of tokens) expect(one).not.toBe(first);
    service.clock.advance(60_000);
    expect(await emailOf(await browser.send("/"))).toBe("ada@example.test");
    service.clock.advance(86_400_000);
    expect(await token(await browser.send("/token"))).not.toBe(tokens[0]);
    expect(await service.postern.tenant("main").logs.list({ q: "type:ferrt" })).toEqual([]);
  });

  test("are not refreshed if no cookie can be written", async () => {
    const { service, sessions, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    service.clock.advance(86_400_000 - 30_000);
    const headers = new Headers({ cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
    expect(await sessions.getAccessToken({ url: appUrl, headers })).toBeDefined();
    service.clock.advance(60_000);
    expect(await sessions.getAccessToken({ url: appUrl, headers })).toBeUndefined();
    expect(await emailOf(await browser.send("/token"))).toBe("ada@example.test");
  });
});

describe("concurrent and repeated sign-ins", () => {
  test("sign-ins in several tabs can be completed in any order", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    const started = await Promise.all(["/a", "/b", "/c"].map((path) => browser.send(`/login?returnTo=${path}`)));
    const locations: (string | null)[] = [];
    for (const one of started.toReversed()) {
      locations.push((await browser.send(await browser.authorize(one.headers.get("location") ?? "", service.ada))).headers.get("location"));
    }
    expect(locations).toEqual([`${appUrl}c`, `${appUrl}b`, `${appUrl}a`]);
  });

  test("opening the callback twice keeps the user signed in", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    const callback = await browser.authorize((await browser.send("/login")).headers.get("location") ?? "", service.ada);
    await browser.send(callback);
    expect((await browser.send(callback)).headers.get("location")).toBe(appUrl);
    expect(await emailOf(await browser.send("/"))).toBe("ada@example.test");
  });

  test("the browser's cookies store at most five sign-in attempts", async () => {
    const { openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    for (let i = 0; i < 20; i++) await browser.send("/login");
    expect(browser.cookies.size).toBe(5);
  });

  test("a denied or expired sign-in shows an error page, with a link to sign in again", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    const started = new URL((await browser.send("/login")).headers.get("location") ?? "");
    const state = started.searchParams.get("state") ?? "";
    const denial = new URLSearchParams({ error: "access_denied", error_description: "<script>", state, iss: service.postern.issuer });
    const deniedResponse = await browser.send(`/callback?${denial}`);
    const html = await deniedResponse.text();
    expect([deniedResponse.status, html.includes(`href="${appUrl}login"`), html.includes("<script>")]).toEqual([403, true, false]);
    const expiredCallback = await browser.authorize((await browser.send("/login")).headers.get("location") ?? "", service.ada);
    service.clock.advance(3_601_000);
    expect((await browser.send(expiredCallback)).status).toBe(400);
  });
});

describe("attacks", () => {
  test.each([
    "https://evil.example/",
    "https://app.example.test@evil.example/",
    "https://app.example.test.evil.example/",
    "http://app.example.test/",
    "https:evil.example",
    "https:/evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "/\t\\evil.example",
    "/.//evil.example",
    "/./\\evil.example",
    "/..//evil.example",
    "/../..//evil.example",
    "/a/..//evil.example",
    "/a/../\\evil.example",
    "/%2e//evil.example",
    "/%2e%2e//evil.example",
    "/.%2E//evil.example",
    "/.\t//evil.example",
    "/%2f/evil.example",
    "/%2F%2Fevil.example",
    "/%5cevil.example",
    "/%5C%5Cevil.example",
    "/%09/evil.example",
    "/%0a/evil.example",
    "/%0d%0a/evil.example",
    "//user:pass@evil.example/",
    "//app.example.test@evil.example/",
    "//user@app.example.test/",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "/\u0000//evil.example/../..//evil.example",
    "data:text/html,x",
    "blob:https://app.example.test/1",
    "\uff0f\uff0fevil.example",
    "\u2215\u2215evil.example",
    "evil",
    "?a",
    "",
  ])("a returnTo of %j leads to the home page of the app", async (returnTo) => {
    const { service, openBrowser } = await openApp({}, pages);
    const callbackResponse = await openBrowser().signIn(service.ada, `/login?${new URLSearchParams({ returnTo })}`);
    expect(callbackResponse.headers.get("location")).toBe(appUrl);
  });

  test.each([
    ["/\uff0f\uff0fevil.example", "/%EF%BC%8F%EF%BC%8Fevil.example"],
    ["/a//b?next=//evil.example#//x", "/a//b?next=//evil.example#//x"],
    ["/a/./b/../c", "/a/c"],
    ["/@evil.example", "/@evil.example"],
    ["/:evil.example", "/:evil.example"],
  ])("a returnTo of %j stays within the app", async (returnTo, path) => {
    const { service, openBrowser } = await openApp({}, pages);
    const callbackResponse = await openBrowser().signIn(service.ada, `/login?${new URLSearchParams({ returnTo })}`);
    expect(callbackResponse.headers.get("location")).toBe(`https://app.example.test${path}`);
  });

  test("a callback that another browser opens signs no user in", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const eve = openBrowser();
    const callback = await eve.authorize((await eve.send("/login")).headers.get("location") ?? "", service.bob);
    const victim = openBrowser();
    await victim.send("/login");
    expect((await victim.send(callback)).status).toBe(400);
    expect(await emailOf(await victim.send("/"))).toBeUndefined();
  });

  test("a cross-site request signs no user out", async () => {
    const { service, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    await browser.send("/logout", { headers: { "sec-fetch-site": "cross-site" } });
    await browser.send("/logout", { method: "POST", headers: { "sec-fetch-site": "same-site", origin: "https://evil.example.test" } });
    expect(await emailOf(await browser.send("/"))).toBe("ada@example.test");
  });

  test("rejects cookies that were changed, truncated, invented, or encrypted for another client, tenant or secret", async () => {
    const { service, client, openBrowser } = await openApp({}, pages);
    const browser = openBrowser();
    await browser.signIn(service.ada);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const [value = ""] = browser.cookies.values();
    const base = { postern: service.postern, appUrl, secret, now: () => service.clock.now() };
    const sessionResponse = createSessions({ ...base, tenantId: "main", clientId: client.clientId });
    const read = (sessions: Sessions, text: string) => sessions.getSession({ url: appUrl, headers: new Headers({ cookie: text }) });
    expect(await read(sessionResponse, cookie)).toMatchObject({ user: { email: "ada@example.test" } });
    for (const text of [
      `__Host-app_session.0=${value.slice(0, -4)}AAAA`,
      `__Host-app_session.0=${value.slice(0, 40)}`,
      "__Host-app_session.0=a.b.c.d.e",
      `app_session.0=${value}`,
    ]) {
      expect(await read(sessionResponse, text), text.slice(0, 60)).toBeUndefined();
    }
    for (const other of [
      { tenantId: "other", clientId: client.clientId },
      { tenantId: "main", clientId: "app-99" },
    ]) {
      expect(await read(createSessions({ ...base, ...other }), cookie)).toBeUndefined();
    }
    expect(
      await read(createSessions({ ...base, secret: `${secret}!`, tenantId: "main", clientId: client.clientId }), cookie),
    ).toBeUndefined();
    const rotated = createSessions({ ...base, secret: [`${secret}!`, secret], tenantId: "main", clientId: client.clientId });
    expect(await read(rotated, cookie)).toMatchObject({ user: { email: "ada@example.test" } });
  });
});

test("an unavailable data store signs no user out", async () => {
  const { service, client, openBrowser } = await openApp({}, pages);
  const browser = openBrowser();
  await browser.signIn(service.ada);
  const headers = new Headers({ cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  const lines: string[] = [];
  const tenant = () => {
    throw new Error("unavailable");
  };
  const unavailable = createSessions({
    postern: { ...service.postern, tenant },
    tenantId: "main",
    clientId: client.clientId,
    appUrl,
    secret,
    now: () => service.clock.now(),
  });
  await expect(unavailable.getSession({ url: appUrl, headers, setCookie: (line) => void lines.push(line) })).rejects.toThrow("unavailable");
  expect(lines).toEqual([]);
});

test("an app with a path limits its cookies and routes to the path", async () => {
  const url = "https://app.example.test/shop/";
  const { sessions } = await openApp({ appUrl: url });
  const response = await sessions.handle(new Request(`${url}login?returnTo=/elsewhere`));
  expect(response?.headers.getSetCookie()[0]).toMatch(/^__Secure-app_session_in\..*; Path=\/shop; HttpOnly/);
  expect(await sessions.handle(new Request("https://app.example.test/login"))).toBeUndefined();
});

test.each<[wrong: object, message: string]>([
  [{ secret: "short" }, "'secret' has 5 characters"],
  [{ secret: [] }, "'secret' is missing"],
  [{ appUrl: "app.example.test" }, "'appUrl' is 'app.example.test'"],
  [{ appUrl: "ftp://app.example.test" }, "'appUrl' is 'ftp://app.example.test'"],
  [{ cookieName: "a=b" }, "'cookieName' is 'a=b'"],
  [{ paths: { login: "/out" }, appUrl: "https://app.example.test/shop/" }, "'paths.login' must be below 'appUrl'"],
])("rejects invalid options: %o", async (wrong, message) => {
  const { service } = await openApp();
  expect(() => createSessions({ postern: service.postern, tenantId: "main", clientId: "web", appUrl, secret, ...wrong })).toThrow(message);
});
