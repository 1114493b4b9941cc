import type { AnyRow, Filter, Find } from "@postern/core/adapter";
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { recordingSqlite } from "./recording.ts";
import { row, untypedCollection } from "./rows.ts";

const { adapter, recorded, prepared } = recordingSqlite(new Database(":memory:"));
const users = untypedCollection(adapter, "users");

beforeAll(async () => {
  await adapter.migrate();
});

/** Returns the SQL statements that the adapter executes while `run` runs. */
async function textsOf(run: () => Promise<unknown>): Promise<string[]> {
  const start = recorded.length;
  await run();
  return recorded.slice(start).map(({ sql }) => sql);
}

const hostile = ["'; drop table postern_users; --", '"; --', "` or 1=1", "?1", "$1", "\\", "%", "[0]", "$.a", '").x', "\u0000", "🦊"];

/** Makes one call of each kind, with `text` wherever a caller can pass a text. */
async function everyCall(text: string): Promise<void> {
  const tenant_id = text;
  const user = (user_id: string): AnyRow =>
    row("users", { tenant_id, user_id, connection: text, email: text, email_key: user_id, app_metadata: { [text]: text } });
  const find = (rest: Partial<Find<AnyRow>>) => users.find({ where: { tenant_id }, limit: 10, ...rest });
  await users.insert([user("1")]);
  await users.insert([user("2"), user("3"), user("4")]);
  await find({ where: { tenant_id, email: text } });
  await find({ where: { tenant_id, email: { in: [text, "a"] } } });
  await find({ where: { tenant_id, email: { prefix: text } } });
  await find({ where: { tenant_id, email: { contains: text } } });
  await find({ orderBy: { fields: ["email", "user_id"], direction: "asc" }, after: [text, text] });
  await find({ orderBy: { fields: ["email", "user_id"], direction: "desc" }, offset: 2 });
  const leaf: Filter = { field: "app_metadata", path: [text, text], op: "contains", value: text };
  await find({ filter: { or: [leaf, { not: { field: "email", op: "prefix", value: text } }] } });
  await users.count({ tenant_id }, { field: "app_metadata", path: [text], op: "eq", value: text });
  await users.update({ tenant_id, email: text }, { set: { name: text }, add: { logins_count: 1 } });
  await adapter.transaction(async (tx) => {
    await untypedCollection({ collections: tx }, "users").delete({ tenant_id, user_id: text });
  });
  await users.delete({ tenant_id });
}

test("never puts a caller's values into an SQL statement", async () => {
  const plain = new Set(await textsOf(() => everyCall("plain")));
  for (const text of hostile) {
    for (const said of await textsOf(() => everyCall(text))) expect(plain, text).toContain(said);
  }
});

test("rejects unknown field names before it executes a statement", async () => {
  const texts = await textsOf(async () => {
    const name = 'email" = "email" or "email';
    await expect(users.find({ where: { [name]: "a" }, limit: 1 })).rejects.toThrow(TypeError);
    await expect(users.find({ where: { email: "a" }, orderBy: { fields: [name, "user_id"], direction: "asc" }, limit: 1 })).rejects.toThrow(
      TypeError,
    );
    await expect(users.update({ email: "a" }, { set: { [name]: "a" } })).rejects.toThrow(TypeError);
    await expect(users.count({ email: "a" }, { field: name, op: "exists" })).rejects.toThrow(TypeError);
  });
  expect(texts).toEqual([]);
});

test("has no plain placeholder in conditions and limits, so that SQLite prepares each statement once", async () => {
  const texts = await textsOf(() => everyCall("plain"));
  // Statements with filters are compiled for each call, so they are not counted here.
  const cached = texts.filter((text) => !text.includes("json_each") && /^(select|update|delete)/.test(text));
  expect(cached.length).toBeGreaterThan(7);
  for (const text of cached) expect(text.replace(/^update .* where /, "")).not.toMatch(/(?<!\+)\?(?! \+ 0)/);
});

test("prepares a statement once", async () => {
  await everyCall("once");
  const before = prepared();
  for (let i = 0; i < 50; i++) await everyCall(`value ${i}`);
  expect(prepared()).toBe(before);
});

test("uses few SQL statements for lists of any length", async () => {
  const texts = await textsOf(async () => {
    for (let length = 1; length <= 50; length++) {
      await users.find({ where: { tenant_id: "t", email: { in: Array.from({ length }, (_, i) => String(i)) } }, limit: 1 });
    }
  });
  expect(new Set(texts).size).toBe(7);
});

test("uses few SQL statements for inserts of any number of rows", async () => {
  const texts = await textsOf(async () => {
    for (let length = 1; length <= 100; length += 7) {
      const rows = Array.from({ length }, (_, i) => row("used_assertions", { tenant_id: "t", jti_hash: `${length}-${i}`, expires_at: 1 }));
      expect(await untypedCollection(adapter, "used_assertions").insert(rows)).toBe(true);
    }
  });
  expect(new Set(texts.filter((text) => text.startsWith("insert"))).size).toBeLessThanOrEqual(7);
});

test("limits the number of cached statements, whatever the number of shapes", async () => {
  const fields = [
    "email",
    "name",
    "nickname",
    "provider",
    "connection",
    "username",
    "given_name",
    "family_name",
    "last_ip",
    "phone_number",
  ];
  await users.find({ where: { email: "x" }, limit: 1 });
  for (let bits = 1; bits < 2 ** fields.length; bits++) {
    const where = Object.fromEntries(fields.filter((_, i) => bits & (1 << i)).map((field) => [field, "x"]));
    await users.find({ where, limit: 1 });
  }
  const before = prepared();
  await users.find({ where: { email: "x" }, limit: 1 });
  expect(prepared()).toBe(before + 1);
});
