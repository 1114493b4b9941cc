import { describe, expect, test } from "vitest";
import { withChecks } from "./checks.ts";
import type { AnyRow, Collection, Filter, Find, Match } from "./contract.ts";
import { schema } from "./schema.ts";

const silent: Collection = {
  insert: async () => true,
  find: async () => [],
  count: async () => 0,
  update: async () => 0,
  delete: async () => 0,
};
const users = withChecks(schema.users, silent);
const scope = { tenant_id: "t" };

describe("rejects a condition", () => {
  const refused: [string, object][] = [
    ["that is empty", {}],
    ["on an unknown field", { unknown: "x" }],
    ["that is undefined", { email: undefined }],
    ["with a number for text", { email: 0 }],
    ["with text for a number", { logins_count: "1" }],
    ["on a list or an object", { app_metadata: "x" }],
    ["with an unknown operator", { email: { like: "x" } }],
    ["without an operator", { email: {} }],
    ["with null among its values", { email: { in: ["a", null] } }],
    ["with no values", { email: { in: [] } }],
    ["with a prefix of a number", { logins_count: { prefix: "1" } }],
    ["with NaN", { logins_count: { gt: Number.NaN } }],
    ["with exists beside another operator", { email: { exists: true, prefix: "a" } }],
  ];
  test.each(refused)("%s", async (_, condition) => {
    const where = Object.keys(condition).length === 0 ? {} : { ...scope, ...condition };
    await expect(users.delete(where as Match<AnyRow>)).rejects.toThrow(TypeError);
  });
});

describe("rejects a list of fields", () => {
  const refused: [string, readonly string[]][] = [
    ["that is empty", []],
    ["with an unknown field", ["email", "unknown"]],
  ];
  test.each(refused)("%s", async (_, fields) => {
    await expect(users.find({ where: scope, fields, limit: 1 })).rejects.toThrow(TypeError);
  });
});

describe("rejects a page", () => {
  const orderBy = { fields: ["created_at", "user_id"], direction: "asc" } as const;
  const refused: [string, object][] = [
    ["without a limit", {}],
    ["of 1001 rows", { limit: 1001 }],
    ["at a negative offset", { limit: 1, offset: -1, orderBy }],
    ["with an offset and a last row", { limit: 1, offset: 1, after: [1, "a"], orderBy }],
    ["in an order without the key", { limit: 1, orderBy: { fields: ["created_at"], direction: "asc" } }],
    ["ordered by a nullable field", { limit: 1, orderBy: { fields: ["username", "user_id"], direction: "asc" } }],
    ["in an unknown direction", { limit: 1, orderBy: { ...orderBy, direction: "asc; drop table users" } }],
    ["after null", { limit: 1, after: [null, "a"], orderBy }],
  ];
  test.each(refused)("%s", async (_, rest) => {
    await expect(users.find({ where: scope, ...rest } as unknown as Find<AnyRow>)).rejects.toThrow(TypeError);
  });
});

describe("rejects a filter", () => {
  const refused: [string, object][] = [
    ["with an empty branch", { and: [] }],
    ["with an unknown operator", { field: "email", op: "like", value: "x" }],
    ["with a path into text", { field: "email", path: ["a"], op: "eq", value: "x" }],
    ["without a value", { field: "email", op: "eq" }],
  ];
  test.each(refused)("%s", async (_, filter) => {
    await expect(users.count(scope, filter as Filter)).rejects.toThrow(TypeError);
  });
});

describe("rejects a change", () => {
  const refused: [string, object][] = [
    ["that is empty", {}],
    ["of the key", { set: { user_id: "x" } }],
    ["of a field to null that is not nullable", { set: { email: null } }],
    ["to a value of another type", { set: { blocked: "yes" } }],
    ["to text that is too long", { set: { name: "x".repeat(301) } }],
    ["that both sets and adds", { set: { logins_count: 1 }, add: { logins_count: 1 } }],
    ["that adds a fraction", { add: { logins_count: 0.5 } }],
    ["that adds to a flag", { add: { blocked: 1 } }],
  ];
  test.each(refused)("%s", async (_, change) => {
    await expect(users.update(scope, change)).rejects.toThrow(TypeError);
  });
});

test("measures text in characters, not UTF-16 units", async () => {
  await expect(users.update(scope, { set: { name: "🦊".repeat(300) } })).resolves.toBe(0);
  await expect(users.update(scope, { set: { name: "🦊".repeat(301) } })).rejects.toThrow(TypeError);
});

describe("matches nothing, without a query, for a value that no field can store", () => {
  const queried: Match<AnyRow>[] = [];
  const note = async (where: Match<AnyRow>): Promise<number> => queried.push(where);
  const recording = withChecks(schema.users, {
    ...silent,
    find: async ({ where }) => ((await note(where)) > 0 ? [where as AnyRow] : []),
    count: note,
    update: note,
    delete: note,
  });
  const all = async (where: Match<AnyRow>): Promise<unknown[]> => [
    await recording.find({ where, limit: 1 }),
    await recording.count(where),
    await recording.update(where, { set: { name: "x" } }),
    await recording.delete(where),
  ];
  const none: [string, Match<AnyRow>][] = [
    ["that is longer than its field", { user_id: "x".repeat(256) }],
    ["that is much longer", { user_id: "x".repeat(1_000_000) }],
    ["with NUL", { user_id: "a\0" }],
    ["with a lone surrogate", { user_id: "\ud800" }],
    ["as every element of a list", { user_id: { in: ["x".repeat(256), "\0"] } }],
    ["as a prefix", { user_id: { prefix: "x".repeat(256) } }],
    ["as a substring", { email: { contains: "x".repeat(321) } }],
    ["next to a valid condition", { user_id: "a", name: "x".repeat(301) }],
    ["for the tenant", { tenant_id: "t".repeat(65), user_id: "a" }],
  ];
  test.each(none)("%s", async (_, where) => {
    queried.length = 0;
    expect(await all({ ...scope, ...where })).toEqual([[], 0, 0, 0]);
    expect(queried).toEqual([]);
  });

  const some: [string, Match<AnyRow>, Match<AnyRow>?][] = [
    ["of full length", { name: "🦊".repeat(300) }],
    ["in a comparison", { name: { gt: "x".repeat(301) } }],
    ["that is null, or may exist", { username: null, email_key: { exists: true } }],
    ["in a list with valid elements", { user_id: { in: ["\0", "a"], lt: "b" } }, { user_id: { in: ["a"], lt: "b" } }],
  ];
  test.each(some)("but queries the store for text %s", async (_, where, reduced = where) => {
    queried.length = 0;
    await all({ ...scope, ...where });
    expect(queried).toEqual(Array.from({ length: 4 }, () => ({ ...scope, ...reduced })));
  });
});

test("requires every field of a new row, with its type, and no other fields", async () => {
  const directory = withChecks(schema.directory, silent);
  const row = { kind: "client", value: "c", tenant_id: "t", created_at: 1 };
  expect(await directory.insert([row])).toBe(true);
  const { created_at: _, ...partial } = row;
  for (const wrong of [partial, { ...row, created_at: "1" }, { ...row, more: 1 }, { ...row, value: "x".repeat(256) }]) {
    await expect(directory.insert([wrong])).rejects.toThrow(TypeError);
  }
});
