import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { organizationSearch } from "../../packages/admin/src/screens/name-search.ts";
import { userSearches } from "../../packages/admin/src/screens/user-search.ts";
import { eventLevel } from "../../packages/admin/src/screens/log-events.ts";
import { obtainTokens, offline, refreshGrant } from "../support/flow.ts";
import { openConsole, type ConsoleBrowser, type TestConsole } from "./console.ts";

const connection = "Username-Password-Authentication";
const password = "correct horse battery";
const next = (html: string): string => (/href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "").replaceAll("&amp;", "&");

describe("the search of users", () => {
  let browser: ConsoleBrowser;
  let userId: string;
  beforeAll(async () => {
    const opened = await openConsole();
    const { users } = opened.service.postern.tenant("main");
    const created = await users.create({
      connection,
      password,
      email: "grace.o'hopper+x@navy.example",
      name: 'Grace "Amazing" Hopper (Rear Admiral)',
      phone_number: "+14155550123",
    });
    userId = created.user_id;
    browser = await opened.signIn(opened.administrator);
  });

  test.each([
    "grace",
    "Grace",
    'Grace "Amazing" Hopper (Rear',
    "grace.o'hopper+x@navy.example",
    "GRACE.O'HOPPER+X@",
    "+14155550123",
    "+1 (415) 555-0123",
    "+1415",
  ])("finds a user by %s", async (typed) => {
    for (const path of ["users", "search"]) {
      const html = await browser.page(`${path}?${new URLSearchParams({ q: typed })}`);
      expect([path, html.includes("navy.example"), html.includes("ada@example.test")]).toEqual([path, true, false]);
    }
  });

  test("finds a user by a user id, and the search opens the record", async () => {
    expect(await browser.page(`users?${new URLSearchParams({ q: userId })}`)).toContain("navy.example");
    const response = await browser.send(`search?${new URLSearchParams({ q: userId })}`);
    expect(response.headers.get("location")).toBe(`/admin/users/${encodeURIComponent(userId)}`);
  });

  test.each(["hopper", "*", "a OR b", "name:ada", "\\", '"', "(", "[", "|", "x|y", "@", "+", "a".repeat(5000)])(
    "accepts %s as text",
    async (typed) => {
      const html = await browser.page(`users?${new URLSearchParams({ q: typed })}`);
      expect(html).not.toContain("navy.example");
      expect(html).toContain("No user matches");
    },
  );

  test.each([48, 50, 60])("pages through all users that match by name, email address or username, with %i of the first", async (named) => {
    const opened = await openConsole();
    const { users } = opened.service.postern.tenant("main");
    const created = await Promise.all([
      ...Array.from({ length: named }, (_, i) => users.create({ connection, password, email: `n${i}@a.example`, name: `zed ${i}` })),
      users.create({ connection, password, email: "zed@a.example", name: "Zed" }),
      users.create({ connection, password, email: "zedx@a.example", name: "Other" }),
    ]);
    const operator = await opened.signIn(opened.administrator);
    const shown: string[] = [];
    const sizes: number[] = [];
    for (let path = "users?q=zed"; path !== "";) {
      const html = await operator.page(path);
      const ids = [...html.matchAll(/href="\/admin\/users\/([^"/?]+%7C[^"/?]+)"/g)].map(([, id = ""]) => decodeURIComponent(id));
      shown.push(...ids);
      sizes.push(ids.length);
      path = next(html).replace("/admin/", "");
    }
    expect(shown.toSorted()).toEqual(created.map(({ user_id }) => user_id).toSorted());
    expect(shown.slice(-2)).toEqual(created.slice(-2).map(({ user_id }) => user_id));
    expect(sizes).toEqual([50, ...(named > 48 ? [named - 48] : [])]);
  });

  test("never begins a term with a wildcard", () => {
    for (const typed of ["*a", "a*", "?", "a b", "_", "é"]) expect(JSON.stringify(userSearches(typed))).not.toMatch(/:[*?]/);
    expect(userSearches("  ")).toEqual([]);
  });

  test("shortens a text whose search would be too long", async () => {
    for (const typed of ["(".repeat(200), `a${"(".repeat(199)}`, "😀".repeat(100)]) {
      for (const { q } of userSearches(typed)) expect(q.length).toBeLessThanOrEqual(1000);
      expect(organizationSearch(typed)?.length).toBeLessThanOrEqual(1000);
      for (const path of ["users", "search"]) await browser.page(`${path}?${new URLSearchParams({ q: typed })}`);
    }
  });

  test("ignores an unknown order, and rejects a foreign cursor", async () => {
    expect(await browser.page("users?sort=password:asc")).toContain("navy.example");
    expect(await browser.page("users?from=foreign", 400)).toContain("The request was not accepted");
  });
});

describe("the page that blocks several users", () => {
  test("blocks and unblocks the users of a search, and ends their sessions", async () => {
    const opened = await openConsole();
    const { service } = opened;
    const operator = await opened.signIn(opened.administrator);
    const refresh = await obtainTokens(service, service.spa, service.ada, offline);
    const list = await operator.page("users?q=ada");
    expect(list).not.toContain("users/block");
    expect(await operator.page("users")).toContain("users/block");
    const users = service.postern.tenant("main").users;
    const isBlocked = async () =>
      Promise.all([service.ada, service.bob].map(async ({ userId }) => (await users.get(userId)).blocked === true));
    const send = (before: readonly string[], choices: readonly string[]) =>
      operator.submit(
        "users/block?q=a",
        { before: JSON.stringify(before) },
        {},
        choices.map((one) => ["choice", one] as const),
      );
    const response = await send([], [service.ada.userId, service.bob.userId]);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/admin/users?q=a&done=users-blocked"]);
    expect(await isBlocked()).toEqual([true, true]);
    expect((await service.exchange(refreshGrant(service.spa, refresh.refresh))).status).toBe(400);
    await send([service.ada.userId, service.bob.userId], [service.bob.userId]);
    expect(await isBlocked()).toEqual([false, true]);
    const failed = await send([], ["auth0|unknown", service.ada.userId]);
    expect([failed.status, (await failed.text()).includes("These users were not changed"), await isBlocked()]).toEqual([
      400,
      true,
      [true, true],
    ]);
  });

  test("changes nothing for an operator who only reads users", async () => {
    const opened = await openConsole();
    const { ada } = opened.service;
    const reader = await opened.signIn(await opened.addOperator("reader@example.test", ["read:users"]));
    expect(await reader.page("users")).not.toContain("users/block");
    expect((await reader.submit("users/block", { before: "[]", choice: ada.userId })).status).toBe(400);
    expect((await opened.service.postern.tenant("main").users.get(ada.userId)).blocked).not.toBe(true);
  });
});

describe("the log", () => {
  let opened: TestConsole;
  let browser: ConsoleBrowser;
  beforeEach(async () => {
    opened = await openConsole();
    browser = await opened.signIn(opened.administrator);
  });
  const ids = (html: string): readonly string[] =>
    [...html.matchAll(/href="\/admin\/logs\/(\w+)"/g)].map(([, id = ""]) => id).filter((id) => id !== "csv");

  test("pages by the last event, without an event twice or missing", async () => {
    for (let i = 0; i < 70; i++)
      await opened.service.call("POST", "/oauth/token", { body: { grant_type: "client_credentials", client_id: `none-${i}` } });
    const all = await opened.service.postern.tenant("main").logs.list({ per_page: 100 });
    const seen: string[] = [];
    for (let path = "logs"; path !== "";) {
      const html = await browser.page(path);
      seen.push(...ids(html));
      path = next(html);
    }
    expect(seen).toEqual(all.map(({ log_id: id }) => id));
  });

  test("is filtered by time, kind, user, app and address", async () => {
    const { ada, web, clock } = opened.service;
    await opened.signInToApp(ada, "wrong");
    expect(await browser.page("logs?kind=failures")).toContain("Wrong password");
    expect(await browser.page("logs?kind=sign-ups")).toContain("No event in this time range matches");
    expect(await browser.page(`logs?${new URLSearchParams({ user: ada.userId })}`)).toContain("Wrong password");
    expect(await browser.page(`logs?client=${web.clientId}`)).not.toContain("Wrong password");
    expect(await browser.page("logs?ip=192.0.2.1&kind=failures")).toContain("Wrong password");
    expect(await browser.page("logs?ip=203.0.113.1")).not.toContain("Wrong password");
    clock.advance(2 * 3_600_000);
    expect(await browser.page("logs?range=1h&kind=failures")).not.toContain("Wrong password");
    expect(await browser.page("logs?range=24h&kind=failures")).toContain("Wrong password");
    expect(await browser.page(`logs?${new URLSearchParams({ user: '" OR type:fp OR "', range: "nonsense", kind: "nonsense" })}`)).toContain(
      "No event",
    );
  });

  test("is downloaded as CSV with the same filters, in which no value is a formula", async () => {
    const { ada, postern } = opened.service;
    await postern.tenant("main").users.update(ada.userId, { name: '=HYPERLINK("https://evil.example.test")' });
    await opened.signInToApp(ada, "wrong");
    const response = await browser.send("logs/csv?kind=failures");
    expect([response.headers.get("content-type"), response.headers.get("content-disposition")]).toEqual([
      "text/csv; charset=utf-8",
      'attachment; filename="logs-main-2026-01-01.csv"',
    ]);
    const lines = (await response.text()).trimEnd().split("\r\n");
    expect(lines[0]).toBe("date,type,event,description,user_id,user_name,client_id,client_name,connection,ip,user_agent,log_id");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`,"'=HYPERLINK(""https://evil.example.test"")",`);
  });

  test("returns only newer events to the script, oldest first", async () => {
    const follow = async (since: string): Promise<{ readonly events: readonly { readonly text: string }[]; readonly since: string }> => {
      const headers = { accept: "application/json", "sec-fetch-mode": "cors" };
      return (await browser.send(`logs?kind=all&${new URLSearchParams({ since })}`, { headers })).json();
    };
    const [latest] = ids(await browser.page("logs"));
    expect(await follow(latest ?? "")).toEqual({ events: [], since: latest });
    const { ada, clock } = opened.service;
    await opened.signInToApp(ada, "wrong");
    clock.advance(1000);
    await opened.signInToApp(ada);
    const { events, since } = await follow(latest ?? "");
    expect(events.map(({ text }) => text)).toEqual(expect.arrayContaining(["Wrong password"]));
    expect(events.at(-1)?.text).not.toBe("Wrong password");
    expect(await follow(since)).toEqual({ events: [], since });
  });

  test.each([
    ["s", "good"],
    ["fp", "bad"],
    ["ferrt", "bad"],
    ["gd_auth_failed", "bad"],
    ["limit_wc", "warn"],
    ["sapi", "good"],
  ])("shows the event %s as %s", (type, level) => expect(eventLevel(type)).toBe(level));
});

test("apps are found by the start of their name or of their id, also beyond the first page", async () => {
  const opened = await openConsole();
  const create = (name: string) => opened.service.manage.create("/api/v2/clients", { name, app_type: "spa" });
  for (let i = 0; i < 110; i++) await create(`Other ${i}`);
  const { client_id: id } = await create("Zoo (main)");
  const browser = await opened.signIn(opened.administrator);
  for (const typed of ["zoo", "Zoo (m", String(id), String(id).slice(0, 12)]) {
    for (const path of ["apps", "search"]) {
      const response = await browser.send(`${path}?${new URLSearchParams({ q: typed })}`);
      const isFound = response.status === 303 || (await response.text()).includes("Zoo (main)");
      expect([path, typed, isFound]).toEqual([path, typed, true]);
    }
  }
  expect(await browser.page("apps?q=nothing")).toContain("No app matches");
});
