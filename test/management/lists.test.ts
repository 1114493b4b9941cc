import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "@postern/kysely/url";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";

const connection = "Username-Password-Authentication";
const count = 23;

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  for (let i = 0; i < count; i++) {
    // Three users share each instant, so an order by time alone would lose or repeat some of them.
    if (i % 3 === 0) service.clock.advance("1s");
    const n = String(i).padStart(2, "0");
    await manage.create("/api/v2/users", {
      connection,
      email: `user-${n}@example.test`,
      user_id: `imported|${n}`,
      name: `Name ${String((i * 7) % count).padStart(2, "0")}`,
      app_metadata: { plan: i % 2 === 0 ? "free" : "pro" },
    });
  }
});

const users = (query = "") => manage("GET", `/api/v2/users${query === "" ? "" : `?${query}`}`);
const byText = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1);
const emails = (items: readonly JsonBody[]) => items.map((item) => String(item["email"]));
const all = Array.from({ length: count }, (_, i) => `user-${String(i).padStart(2, "0")}@example.test`);

describe("offset pages", () => {
  test("are bare arrays of ten items in creation order, from page 0", async () => {
    expect(emails(list(await users()))).toEqual(all.slice(0, 10));
    expect(emails(list(await users("page=1")))).toEqual(all.slice(10, 20));
    expect(emails(list(await users("page=2")))).toEqual(all.slice(20));
    expect(list(await users("page=3"))).toEqual([]);
    expect(emails(list(await users("per_page=100")))).toEqual(all);
    expect(list(await users("per_page=0"))).toEqual([]);
  });

  test("of any size together contain each row once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (size) => {
        const found: string[] = [];
        for (let page = 0; page * size < count + size; page++) found.push(...emails(list(await users(`page=${page}&per_page=${size}`))));
        expect(found).toEqual(all);
      }),
      { numRuns: 8 },
    );
  });

  test("are envelopes with include_totals", async () => {
    expect(jsonBody(await users("include_totals=true&per_page=5&page=1"))).toMatchObject({ start: 5, limit: 5, length: 5, total: count });
    expect(jsonBody(await users("include_totals=true&page=2"))).toMatchObject({ start: 20, limit: 10, length: 3, total: count });
    expect(jsonBody(await users("include_totals=true&page=9"))).toEqual({ users: [], start: 90, limit: 10, length: 0, total: count });
    expect(jsonBody(await users("include_totals=true&per_page=0"))).toEqual({ users: [], start: 0, limit: 0, length: 0, total: count });
    expect(jsonBody(await users("include_totals=true&q=app_metadata.plan:pro"))).toMatchObject({ total: 11, length: 10 });
    expect(Array.isArray((await users("include_totals=false")).body)).toBe(true);
  });
});

describe("cursors", () => {
  test("page through the list with any take and sort, return each row once, and end without `next`", async () => {
    const sorts = ["created_at", "email", "name", "user_id", "updated_at", "last_login", "logins_count"];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(...sorts),
        fc.constantFrom("asc", "desc", "1", "-1"),
        async (take, field, order) => {
          const found = emails(await listAllPages(manage, `/api/v2/users?sort=${field}:${order}`, "users", take));
          expect(found.toSorted()).toEqual(all);
        },
      ),
      { numRuns: 25 },
    );
    expect(emails(await listAllPages(manage, "/api/v2/users", "users", 4))).toEqual(all);
  });

  test("stay valid while rows are created and deleted", async () => {
    const first = jsonBody(await users("take=10&sort=email:asc"));
    const extra = await manage.create("/api/v2/users", { connection, email: "user-00a@example.test" });
    await manage("DELETE", "/api/v2/users/imported%7C09");
    const second = jsonBody(await users(`take=50&sort=email:asc&from=${stringMember(first, "next")}`));
    expect(emails([...(first["users"] as JsonBody[]), ...(second["users"] as JsonBody[])])).toEqual(all);
    await manage("DELETE", `/api/v2/users/${encodeURIComponent(stringMember(extra, "user_id"))}`);
    await manage.create("/api/v2/users", { connection, email: "user-09@example.test", user_id: "imported|09", name: "Name 17" });
  });

  test("are omitted on the last page, also if it is full", async () => {
    expect(jsonBody(await users("take=23"))).not.toHaveProperty("next");
    expect(jsonBody(await users("take=22"))).toHaveProperty("next");
    expect(jsonBody(await users("take=100"))).not.toHaveProperty("next");
    expect(jsonBody(await users("q=email:unknown@example.test&take=5"))).toEqual({ users: [] });
  });

  test("are accepted only for the query that they came from", async () => {
    const next = stringMember(jsonBody(await users("take=5&sort=email:asc&q=app_metadata.plan:free")), "next");
    const ask = (query: string) => users(`${query}&from=${encodeURIComponent(next)}`);
    expect(await ask("take=7&sort=email:asc&q=app_metadata.plan:free")).toMatchObject({ status: 200 });
    for (const query of [
      "take=5",
      "take=5&sort=email:desc&q=app_metadata.plan:free",
      "take=5&sort=email:asc&q=app_metadata.plan:pro",
      "take=5&sort=email:asc",
      "take=5&sort=name:asc&q=app_metadata.plan:free",
      "take=5&sort=email:asc&q=app_metadata.plan:free&connection=sms",
    ]) {
      expectError(await ask(query), 400, "invalid_request", "'from'");
    }
    expectError(await manage("GET", `/api/v2/clients?take=5&from=${next}`), 400, "invalid_request", "'from'");
    const other = await managerOf(service, "other");
    expectError(
      await other("GET", `/api/v2/users?take=5&sort=email:asc&q=app_metadata.plan:free&from=${next}`),
      400,
      "invalid_request",
      "'from'",
    );
  });

  test("that were changed, truncated or forged are rejected", async () => {
    const next = stringMember(jsonBody(await users("take=5")), "next");
    const tampered = [0, 10, 40, next.length >> 1, next.length - 2].map(
      (at) => next.slice(0, at) + (next[at] === "A" ? "B" : "A") + next.slice(at + 1),
    );
    for (const from of [
      ...tampered,
      next.slice(0, -3),
      `${next}A`,
      " ",
      "0",
      "null",
      "[]",
      "e30.e30.e30",
      "a.b.c.d.e",
      "imported|05",
      "A".repeat(3000),
    ]) {
      expectError(await users(`take=5&from=${encodeURIComponent(from)}`), 400, "invalid_request", "'from'");
    }
    expectError(await users(`from=${"A".repeat(5000)}`), 400, "invalid_request", "'from'");
    expect(next).not.toContain("user-");
    expect(Buffer.from(next.split(".")[3] ?? "", "base64url").toString()).not.toContain("imported");
  });

  test("can be combined with the first page, and with no later page", async () => {
    expect(jsonBody(await users("take=5&page=0"))["users"]).toEqual(jsonBody(await users("take=5"))["users"]);
    expectError(await users("take=5&page=1"), 400, "invalid_request", "'page'");
  });
});

describe("sorting", () => {
  test("accepts both notations, and a field without a direction", async () => {
    const sorted = (await Promise.all(["name:asc", "name:1", "name"].map((sort) => users(`sort=${sort}&per_page=100`)))).map((answer) =>
      list(answer).map((one) => one["name"]),
    );
    const reversed = (await Promise.all(["name:desc", "name:-1"].map((sort) => users(`sort=${sort}&per_page=100`)))).map((answer) =>
      list(answer).map((one) => one["name"]),
    );
    const names = Array.from({ length: count }, (_, i) => `Name ${String(i).padStart(2, "0")}`);
    for (const one of sorted) expect(one).toEqual(names);
    for (const one of reversed) expect(one).toEqual(names.toReversed());
  });

  test("orders equal rows by id, in the same direction", async () => {
    const up = list(await users("sort=last_login:asc&per_page=100")).map((one) => one["user_id"]);
    const down = list(await users("sort=last_login:desc&per_page=100")).map((one) => one["user_id"]);
    expect(up).toEqual([...up].sort(byText));
    expect(down).toEqual(up.toReversed());
  });

  test.each([
    "nonsense:asc",
    "password_id:asc",
    "email:up",
    "email:asc:asc",
    ":asc",
    "email:",
    "__proto__:asc",
    "email:constructor",
    "app_metadata:1",
    "deleting_at:1",
  ])("by '%s' is rejected, and the error names the parameter", async (sort) => {
    expectError(await users(`sort=${encodeURIComponent(sort)}`), 400, "invalid_request", "'sort'");
  });
});

describe("the fields parameter", () => {
  test("includes or excludes members in lists, envelopes and single resources", async () => {
    expect(list(await users("per_page=1&fields=email,name"))).toEqual([{ email: all[0], name: expect.any(String) }]);
    expect(list(await users("per_page=1&fields=%20email%20,nothing"))).toEqual([{ email: all[0] }]);
    const [excluded] = list(await users("per_page=1&fields=email,identities&include_fields=false"));
    expect(Object.keys(excluded ?? {})).not.toEqual(expect.arrayContaining(["email"]));
    expect(excluded).toMatchObject({ user_id: "imported|00", user_metadata: {} });
    expect(jsonBody(await users("per_page=1&include_totals=true&fields=email"))).toMatchObject({
      users: [{ email: all[0] }],
      total: count,
      start: 0,
    });
    expect(jsonBody(await users("take=1&fields=email"))).toEqual({ users: [{ email: all[0] }], next: expect.any(String) });
    expect(jsonBody(await manage("GET", "/api/v2/users/imported%7C00?fields=email"))).toEqual({ email: all[0] });
    expect(jsonBody(await manage("GET", "/api/v2/users/imported%7C00?fields=email&include_fields=false"))).not.toHaveProperty("email");
    expect(jsonBody(await manage("GET", "/api/v2/users/imported%7C00?fields="))).toHaveProperty("email");
    expect(jsonBody(await manage("GET", "/api/v2/users/imported%7C00?fields=identities"))).toEqual({ identities: [expect.any(Object)] });
  });
});

describe("a user search", () => {
  beforeAll(async () => {
    for (const body of [
      { email: "with+plus@example.test", name: "C++ Developer", user_id: "waad|a:b+c@d.e", app_metadata: { crm: { id: "x:1|2" } } },
      { email: "o'hara-smith@sub.example.test", name: "Ünï Çödé 🦊", user_id: "samlp|corp|x@y" },
      { email: "upper@example.test", name: "100% _real_", blocked: true, nickname: "star*" },
    ])
      await manage.create("/api/v2/users", { connection, ...body });
  });

  const found = async (q: string) => emails(list(await users(`per_page=100&q=${encodeURIComponent(q)}`))).toSorted();

  test.each([
    ["email:with+plus@example.test", ["with+plus@example.test"]],
    ["email:WITH+PLUS@EXAMPLE.TEST", ["with+plus@example.test"]],
    ['email:"with+plus@example.test"', ["with+plus@example.test"]],
    ["user_id:waad|a:b+c@d.e", ["with+plus@example.test"]],
    ['user_id:"waad|a:b+c@d.e"', ["with+plus@example.test"]],
    ["user_id:samlp|corp|x@y", ["o'hara-smith@sub.example.test"]],
    ["email:o'hara-smith@sub.example.test", ["o'hara-smith@sub.example.test"]],
    ['name:"Ünï Çödé 🦊"', ["o'hara-smith@sub.example.test"]],
    ['name:"100% _real_"', ["upper@example.test"]],
    ["name:100%", []],
    ['nickname:"star*"', ["upper@example.test"]],
    ["blocked:true", ["upper@example.test"]],
    ["app_metadata.crm.id:x:1|2", ["with+plus@example.test"]],
    ["email:user-01@example.test OR email:user-02@example.test", ["user-01@example.test", "user-02@example.test"]],
    ["email:user-01@example.test AND email:user-02@example.test", []],
    ["email:unknown", []],
    ["email:user-0*", all.slice(0, 10)],
  ])("finds q=%s", async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });

  test("supports `_exists_`, NOT and ranges", async () => {
    expect(await found("NOT email:user-*")).toEqual(["o'hara-smith@sub.example.test", "upper@example.test", "with+plus@example.test"]);
    expect(await found("_exists_:app_metadata.crm")).toEqual(["with+plus@example.test"]);
    expect(await found("email:[user-00@example.test TO user-02@example.test]")).toEqual(all.slice(0, 3));
  });

  test.each([
    "email:",
    "email:(",
    '"',
    "nonsense:1",
    "password_id:x",
    "deleting_at:*",
    "tenant_id:other",
    "__proto__:1",
    "constructor.name:x",
    "AND",
    "email:a AND",
    "[a TO b",
    "email_key:x",
  ])("q=%s is rejected with its position", async (q) => {
    expectError(await users(`q=${encodeURIComponent(q)}`), 400, "invalid_request", /'q' at character \d+/);
  });

  test("with any q never causes a server error", async () => {
    const words = fc.constantFrom(
      "email",
      ":",
      "*",
      "(",
      ")",
      '"',
      "\\",
      " ",
      "AND",
      "OR",
      "NOT",
      "[",
      "]",
      "{",
      "}",
      "TO",
      "~",
      "^",
      "|",
      "@",
      "+",
      "-",
      ".",
      "app_metadata.",
      "_exists_:",
      ">",
      "<",
      "=",
      "é",
      "1",
      "x",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(words, { maxLength: 12 }).map((parts) => parts.join("")),
          fc.string({ unit: "grapheme", maxLength: 30 }),
        ),
        async (q) => {
          const { status } = await users(`q=${encodeURIComponent(q)}`);
          expect([200, 400]).toContain(status);
        },
      ),
      { numRuns: 300 },
    );
    expect(service.faults).toEqual([]);
  });
});

test.each([
  ["/api/v2/clients", "clients", (i: number) => ({ name: `Client ${i}` })],
  ["/api/v2/connections", "connections", (i: number) => ({ name: `connection-${i}`, strategy: "auth0" })],
  ["/api/v2/resource-servers", "resource_servers", (i: number) => ({ identifier: `https://api-${i}.example.test` })],
])("%s supports the same list styles", async (path, key, make) => {
  const made = [];
  for (let i = 0; i < 7; i++) made.push(await manage.create(path, make(i)));
  const id = "client_id" in (made[0] ?? {}) ? "client_id" : "id";
  const ids = (items: readonly JsonBody[]) => items.map((item) => item[id]);
  const allIds = ids(list(await manage("GET", `${path}?per_page=100`)));
  expect(allIds).toEqual(expect.arrayContaining(made.map((one) => one[id])));
  expect(ids(await listAllPages(manage, path, key, 3))).toEqual(allIds);
  expect(ids(list(await manage("GET", `${path}?per_page=3&page=1`)))).toEqual(allIds.slice(3, 6));
  expect(jsonBody(await manage("GET", `${path}?per_page=3&page=1&include_totals=true`))).toMatchObject({
    start: 3,
    limit: 3,
    length: 3,
    total: allIds.length,
  });
  expect(ids(list(await manage("GET", `${path}?per_page=100&sort=created_at:-1`)))).toEqual(allIds.toReversed());
  expect(Object.keys(list(await manage("GET", `${path}?per_page=1&fields=${id}`))[0] ?? {})).toEqual([id]);
});

test.each([
  ["per_page=101", "'per_page'"],
  ["per_page=-1", "'per_page'"],
  ["per_page=1.5", "'per_page'"],
  ["per_page=ten", "'per_page'"],
  ["per_page=", "'per_page'"],
  ["page=-1", "'page'"],
  ["page=1e3", "'page'"],
  ["page=99999999999999999999", "'page'"],
  ["take=0", "'take'"],
  ["take=101", "'take'"],
  ["include_totals=1", "'include_totals'"],
  ["include_totals=TRUE", "'include_totals'"],
  ["include_fields=yes", "'include_fields'"],
  ["search_engine=v9", "'search_engine'"],
  ["sort=email&sort=name", "'sort'.*more than once"],
  ["page=1&page=1", "'page'.*more than once"],
  ["unknown=1", "unknown field 'unknown'"],
  ["__proto__=1", "unknown field '__proto__'"],
  ["constructor=1", "unknown field 'constructor'"],
  ["q=%00", "NUL"],
])("?%s is rejected, and the error names the parameter", async (query, error) => {
  for (const path of [
    "/api/v2/users",
    "/api/v2/clients",
    "/api/v2/client-grants",
    "/api/v2/connections",
    "/api/v2/resource-servers",
    "/api/v2/logs",
  ]) {
    const body = expectError(await manage("GET", `${path}?${query}`), 400, "invalid_request", new RegExp(error));
    expect(body).toMatchObject({ errorCode: "invalid_query_string" });
  }
});

test("on SQLite, `q` searches metadata as deep as it can be stored, and rejects deeper paths", async () => {
  const data = await openDatabase("sqlite::memory:");
  await data.migrate();
  const deep = await createTestPostern({ data });
  const manageDeep = await managerOf(deep);
  const path = (depth: number): string => `app_metadata${".a".repeat(depth)}`;
  for (const condition of [`${path(63)}:1`, `${path(63)}:[1 TO 2]`, `_exists_:${path(63)}`])
    expect(list(await manageDeep("GET", `/api/v2/users?q=${encodeURIComponent(condition)}`))).toEqual([]);
  for (const condition of [`${path(64)}:1`, `${path(200)}:a*`, `_exists_:${path(64)}`])
    expectError(await manageDeep("GET", `/api/v2/users?q=${encodeURIComponent(condition)}`), 400, "invalid_request", "63 levels deep");
  await deep.postern.close();
});
