import { describe, expect, test } from "vitest";
import { defineAdapter, type AnyRow, type Find } from "./contract.ts";
import { tenantData } from "./tenant-data.ts";

const queries: Find<AnyRow>[] = [];
const whole = { tenant_id: "a", user_id: "u", blocked: false };

/** Creates the users collection of tenant a, on a store that returns the same row for every query. */
function usersIn(row: AnyRow) {
  const { collections } = defineAdapter(() => ({
    insert: async () => true,
    find: async (query) => {
      queries.push(query);
      return [row];
    },
    count: async () => 0,
    update: async () => 0,
    delete: async () => 0,
  }));
  return tenantData(collections, "a").users;
}

/** The store returns more fields than requested, as an adapter may. */
const users = usersIn(whole);
const untyped: { find(query: object): Promise<object[]> } = users;
const where = { user_id: "u" };

test("restricts each query to the tenant and to rows that are not being deleted", async () => {
  await users.find({ where, limit: 1 });
  expect(queries.at(-1)?.where).toEqual({ tenant_id: "a", user_id: "u", deleting_at: null });
});

test("returns rows without the tenant, even if an adapter returns more than the requested fields", async () => {
  expect(await users.find({ where, fields: ["blocked"], limit: 1 })).toEqual([{ user_id: "u", blocked: false }]);
});

test.each([
  ["a row that belongs to another tenant", { ...whole, tenant_id: "b" }, "belongs to tenant 'b'"],
  ["a row without a tenant id", { user_id: "u", blocked: false }, "belongs to no tenant"],
])("throws if a store returns %s", async (_, row, reason) => {
  const read = usersIn(row);
  await expect(read.find({ where, limit: 1 })).rejects.toThrow(reason);
  await expect(read.find({ where, fields: ["blocked"], limit: 1 })).rejects.toMatchObject({ name: "ForeignRowError" });
});

describe("rejects tenant_id", () => {
  const refused: readonly (readonly [string, object])[] = [
    ["in a condition", { where: { ...where, tenant_id: "b" }, limit: 1 }],
    ["in an order", { where, orderBy: { fields: ["tenant_id", "user_id"], direction: "asc" }, limit: 1 }],
    ["among the fields", { where, fields: ["tenant_id"], limit: 1 }],
  ];
  test.each(refused)("%s", async (_, query) => {
    await expect(untyped.find(query)).rejects.toThrow(TypeError);
  });
});
