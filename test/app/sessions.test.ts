import { createSessions, type Sessions } from "@postern/app";
import { describe, expect, test } from "vitest";
import { openApp, appUrl, secret, type Answers } from "./person-in-app.ts";

/** An app with one page, which says who is signed in and shows their access token to nobody but this test. */
const pages =
  (sessions: Sessions): Answers =>
  async (request) => {
    const own = await sessions.handle(request);
    if (own !== undefined) return own;
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

const who = async (answer: Response): Promise<unknown> => ((await answer.json()) as { user: { email?: string } | null }).user?.email;

test("a person is sent to sign in, comes back where they wanted to go, and is known", async () => {
  const { service, person } = await openApp({}, pages);
  const me = person();
  const refused = await me.ask("/private?a=1");
  expect([refused.status, refused.headers.get("location")]).toEqual([303, `${appUrl}login?returnTo=%2Fprivate%3Fa%3D1`]);
  const back = await me.signIn(service.ada, refused.headers.get("location") ?? "");
  expect([back.status, back.headers.get("location")]).toEqual([303, `${appUrl}private?a=1`]);
  expect(await who(await me.ask("/private"))).toBe("ada@example.test");
  // A script without a session is told so, and not sent to a page.
  const script = await person().ask("/private", { headers: { "sec-fetch-mode": "cors" } });
  expect([script.status, await script.json()]).toMatchObject([401, { error: "login_required" }]);
});

test("cookies are closed to scripts, other sites and other hosts, and tell nothing of the tokens", async () => {
  const { service, person } = await openApp({}, pages);
  const me = person();
  const lines = (await me.signIn(service.ada)).headers.getSetCookie().filter((line) => !line.includes("Max-Age=0"));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines)
    expect(line).toMatch(/^__Host-app_session\.\d=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=604800$/);
  const { token } = (await (await me.ask("/token")).json()) as { token: string };
  const [, payload = ""] = token.split(".");
  expect([...me.cookies.values()].join("")).not.toContain(payload);
  expect([...me.cookies.keys()].filter((name) => name.includes("_in."))).toEqual([]);
});

describe("a session ends in the app", () => {
  test.each<[how: string, end: (open: Awaited<ReturnType<typeof openApp>>, sessionId: string) => Promise<unknown>]>([
    ["when an administrator ends it", ({ service: { postern } }, id) => postern.tenant("main").sessions.delete(id)],
    ["when the person is blocked", ({ service: { postern, ada } }) => postern.tenant("main").users.update(ada.userId, { blocked: true })],
    ["when the person is deleted", ({ service: { postern, ada } }) => postern.tenant("main").users.delete(ada.userId)],
    [
      "when the password is changed",
      ({ service: { postern, ada } }) => postern.tenant("main").users.update(ada.userId, { password: "another long password" }),
    ],
  ])("%s, at the next request", async (_, end) => {
    const open = await openApp({}, pages);
    const me = open.person();
    await me.signIn(open.service.ada);
    const [session] = await open.service.postern.tenant("main").users.sessions.list(open.service.ada.userId);
    await end(open, session?.id ?? "");
    expect(await who(await me.ask("/"))).toBeUndefined();
    expect([...me.cookies.keys()]).toEqual([]);
  });

  test("by signing out, in the tenant as well, and a copy of the cookies opens nothing", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    await me.signIn(service.ada);
    const copy = person();
    for (const [name, value] of me.cookies) copy.cookies.set(name, value);
    const out = await me.ask("/logout", { method: "POST" });
    expect([out.status, out.headers.get("location")]).toEqual([303, appUrl]);
    expect(await who(await copy.ask("/"))).toBeUndefined();
    const again = await me.ask("/login");
    expect((await me.idp.get(again.headers.get("location") ?? "")).headers.get("location")).toContain("/u/login");
  });

  test("after its lifetime, and not when the tenant's session has merely expired", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    await me.signIn(service.ada);
    service.clock.advance(4 * 86_400_000);
    expect(await service.postern.tenant("main").users.sessions.list(service.ada.userId)).toEqual([]);
    expect(await who(await me.ask("/"))).toBe("ada@example.test");
    service.clock.advance(3 * 86_400_000 + 1000);
    expect(await who(await me.ask("/"))).toBeUndefined();
  });
});

describe("access tokens", () => {
  test("are refreshed near their end, once for 32 requests at a time, and nobody is signed out", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    await me.signIn(service.ada);
    const token = async (answer: Response): Promise<string> => ((await answer.json()) as { token: string }).token;
    const first = await token(await me.ask("/token"));
    expect(await token(await me.ask("/token"))).toBe(first);
    service.clock.advance(86_400_000);
    const tokens = await Promise.all(Array.from({ length: 32 }, async () => token(await me.ask("/token"))));
    for (const one of tokens) expect(one).not.toBe(first);
    service.clock.advance(60_000);
    expect(await who(await me.ask("/"))).toBe("ada@example.test");
    service.clock.advance(86_400_000);
    expect(await token(await me.ask("/token"))).not.toBe(tokens[0]);
    expect(await service.postern.tenant("main").logs.list({ q: "type:ferrt" })).toEqual([]);
  });

  test("are not refreshed where no cookie can be written", async () => {
    const { service, sessions, person } = await openApp({}, pages);
    const me = person();
    await me.signIn(service.ada);
    service.clock.advance(86_400_000 - 30_000);
    const headers = new Headers({ cookie: [...me.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
    expect(await sessions.getAccessToken({ url: appUrl, headers })).toBeDefined();
    service.clock.advance(60_000);
    expect(await sessions.getAccessToken({ url: appUrl, headers })).toBeUndefined();
    expect(await who(await me.ask("/token"))).toBe("ada@example.test");
  });
});

describe("a hurried person", () => {
  test("who begins in several tabs ends each of them, in any order", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    const begun = await Promise.all(["/a", "/b", "/c"].map((path) => me.ask(`/login?returnTo=${path}`)));
    const backs: (string | null)[] = [];
    for (const one of begun.toReversed()) {
      backs.push((await me.ask(await me.through(one.headers.get("location") ?? "", service.ada))).headers.get("location"));
    }
    expect(backs).toEqual([`${appUrl}c`, `${appUrl}b`, `${appUrl}a`]);
  });

  test("who comes to the callback twice is at home", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    const callback = await me.through((await me.ask("/login")).headers.get("location") ?? "", service.ada);
    await me.ask(callback);
    expect((await me.ask(callback)).headers.get("location")).toBe(appUrl);
    expect(await who(await me.ask("/"))).toBe("ada@example.test");
  });

  test("who begins a hundred times carries five of them", async () => {
    const { person } = await openApp({}, pages);
    const me = person();
    for (let i = 0; i < 20; i++) await me.ask("/login");
    expect(me.cookies.size).toBe(5);
  });

  test("who refuses is told so, with a way on; so is one who comes too late", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    const begun = new URL((await me.ask("/login")).headers.get("location") ?? "");
    const state = begun.searchParams.get("state") ?? "";
    const no = new URLSearchParams({ error: "access_denied", error_description: "<script>", state, iss: service.postern.issuer });
    const told = await me.ask(`/callback?${no}`);
    const html = await told.text();
    expect([told.status, html.includes(`href="${appUrl}login"`), html.includes("<script>")]).toEqual([403, true, false]);
    const late = await me.through((await me.ask("/login")).headers.get("location") ?? "", service.ada);
    service.clock.advance(3_601_000);
    expect((await me.ask(late)).status).toBe(400);
  });
});

describe("an attacker", () => {
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
  ])("sends nobody to %j after signing in", async (returnTo) => {
    const { service, person } = await openApp({}, pages);
    const back = await person().signIn(service.ada, `/login?${new URLSearchParams({ returnTo })}`);
    expect(back.headers.get("location")).toBe(appUrl);
  });

  test.each([
    ["/\uff0f\uff0fevil.example", "/%EF%BC%8F%EF%BC%8Fevil.example"],
    ["/a//b?next=//evil.example#//x", "/a//b?next=//evil.example#//x"],
    ["/a/./b/../c", "/a/c"],
    ["/@evil.example", "/@evil.example"],
    ["/:evil.example", "/:evil.example"],
  ])("%j stays at the app", async (returnTo, path) => {
    const { service, person } = await openApp({}, pages);
    const back = await person().signIn(service.ada, `/login?${new URLSearchParams({ returnTo })}`);
    expect(back.headers.get("location")).toBe(`https://app.example.test${path}`);
  });

  test("has nobody sign in to the attacker's account by a callback of their own", async () => {
    const { service, person } = await openApp({}, pages);
    const eve = person();
    const callback = await eve.through((await eve.ask("/login")).headers.get("location") ?? "", service.bob);
    const victim = person();
    await victim.ask("/login");
    expect((await victim.ask(callback)).status).toBe(400);
    expect(await who(await victim.ask("/"))).toBeUndefined();
  });

  test("signs nobody out from another site", async () => {
    const { service, person } = await openApp({}, pages);
    const me = person();
    await me.signIn(service.ada);
    await me.ask("/logout", { headers: { "sec-fetch-site": "cross-site" } });
    await me.ask("/logout", { method: "POST", headers: { "sec-fetch-site": "same-site", origin: "https://evil.example.test" } });
    expect(await who(await me.ask("/"))).toBe("ada@example.test");
  });

  test("opens nothing with cookies that were changed, cut, made up, or sealed for another app, tenant or purpose", async () => {
    const { service, client, person } = await openApp({}, pages);
    const me = person();
    await me.signIn(service.ada);
    const cookie = [...me.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const [value = ""] = me.cookies.values();
    const base = { postern: service.postern, appUrl, secret, now: () => service.clock.now() };
    const own = createSessions({ ...base, tenantId: "main", clientId: client.clientId });
    const read = (sessions: Sessions, text: string) => sessions.getSession({ url: appUrl, headers: new Headers({ cookie: text }) });
    expect(await read(own, cookie)).toMatchObject({ user: { email: "ada@example.test" } });
    for (const text of [
      `__Host-app_session.0=${value.slice(0, -4)}AAAA`,
      `__Host-app_session.0=${value.slice(0, 40)}`,
      "__Host-app_session.0=a.b.c.d.e",
      `app_session.0=${value}`,
    ]) {
      expect(await read(own, text), text.slice(0, 60)).toBeUndefined();
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

test("a store that is away signs nobody out", async () => {
  const { service, client, person } = await openApp({}, pages);
  const me = person();
  await me.signIn(service.ada);
  const headers = new Headers({ cookie: [...me.cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  const lines: string[] = [];
  const tenant = () => {
    throw new Error("away");
  };
  const away = createSessions({
    postern: { ...service.postern, tenant },
    tenantId: "main",
    clientId: client.clientId,
    appUrl,
    secret,
    now: () => service.clock.now(),
  });
  await expect(away.getSession({ url: appUrl, headers, setCookie: (line) => void lines.push(line) })).rejects.toThrow("away");
  expect(lines).toEqual([]);
});

test("an app under a path keeps its cookies and its ways there", async () => {
  const url = "https://app.example.test/shop/";
  const { sessions } = await openApp({ appUrl: url });
  const answer = await sessions.handle(new Request(`${url}login?returnTo=/elsewhere`));
  expect(answer?.headers.getSetCookie()[0]).toMatch(/^__Secure-app_session_in\..*; Path=\/shop; HttpOnly/);
  expect(await sessions.handle(new Request("https://app.example.test/login"))).toBeUndefined();
});

test.each<[wrong: object, message: string]>([
  [{ secret: "short" }, "'secret' is text of 5 characters"],
  [{ secret: [] }, "'secret' is missing"],
  [{ appUrl: "app.example.test" }, "'appUrl' is 'app.example.test'"],
  [{ appUrl: "ftp://app.example.test" }, "'appUrl' is 'ftp://app.example.test'"],
  [{ cookieName: "a=b" }, "'cookieName' is 'a=b'"],
  [{ paths: { login: "/out" }, appUrl: "https://app.example.test/shop/" }, "'paths.login' leads out of 'appUrl'"],
])("options that cannot be are named: %o", async (wrong, message) => {
  const { service } = await openApp();
  expect(() => createSessions({ postern: service.postern, tenantId: "main", clientId: "web", appUrl, secret, ...wrong })).toThrow(message);
});
