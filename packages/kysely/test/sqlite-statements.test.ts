import type { AnyRow, Filter, Find } from "@postern/core/adapter";
import Database from "better-sqlite3";
import { beforeAll, expect, test } from "vitest";
import { recordingSqlite } from "./recording.ts";
import { row, untyped } from "./rows.ts";

const { adapter, recorded, prepared } = recordingSqlite(new Database(":memory:"));
const users = untyped(adapter, "users");

beforeAll(async () => {
  await adapter.migrate();
});

/** Everything that the adapter says while `run` runs. */
async function textsOf(run: () => Promise<unknown>): Promise<string[]> {
  const start = recorded.length;
  await run();
  return recorded.slice(start).map(({ sql }) => sql);
}

const hostile = ["'; drop table postern_users; --", '"; --', "` or 1=1", "?1", "$1", "\\", "%", "[0]", "$.a", '").x', "\u0000", "🦊"];

/** One of each kind of call, with `text` wherever a caller's text can stand. */
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
    await untyped({ collections: tx }, "users").delete({ tenant_id, user_id: text });
  });
  await users.delete({ tenant_id });
}

test("what callers write never reaches the text of a statement: the texts are the same few whatever the values", async () => {
  const plain = new Set(await textsOf(() => everyCall("plain")));
  for (const text of hostile) {
    for (const said of await textsOf(() => everyCall(text))) expect(plain, text).toContain(said);
  }
});

test("names that the description does not know are refused before anything is said", async () => {
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

test("no condition or limit holds a plain placeholder, for which SQLite would prepare the statement anew at each call", async () => {
  const texts = await textsOf(() => everyCall("plain"));
  // Filters are compiled for one call anyway.
  const kept = texts.filter((text) => !text.includes("json_each") && /^(select|update|delete)/.test(text));
  expect(kept.length).toBeGreaterThan(7);
  for (const text of kept) expect(text.replace(/^update .* where /, "")).not.toMatch(/(?<!\+)\?(?! \+ 0)/);
});

test("a statement is prepared once", async () => {
  await everyCall("once");
  const before = prepared();
  for (let i = 0; i < 50; i++) await everyCall(`value ${i}`);
  expect(prepared()).toBe(before);
});

test("lists of any length share a few texts", async () => {
  const texts = await textsOf(async () => {
    for (let length = 1; length <= 50; length++) {
      await users.find({ where: { tenant_id: "t", email: { in: Array.from({ length }, (_, i) => String(i)) } }, limit: 1 });
    }
  });
  expect(new Set(texts).size).toBe(7);
});

test("inserts of any number of rows share a few texts", async () => {
  const texts = await textsOf(async () => {
    for (let length = 1; length <= 100; length += 7) {
      const rows = Array.from({ length }, (_, i) => row("used_assertions", { tenant_id: "t", jti_hash: `${length}-${i}`, expires_at: 1 }));
      expect(await untyped(adapter, "used_assertions").insert(rows)).toBe(true);
    }
  });
  expect(new Set(texts.filter((text) => text.startsWith("insert"))).size).toBeLessThanOrEqual(7);
});

test("what is kept is bounded, however many shapes there are", async () => {
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
