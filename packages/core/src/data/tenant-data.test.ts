import { describe, expect, test } from "vitest";
import { defineAdapter, type AnyRow, type Find } from "./contract.ts";
import { tenantData } from "./tenant-data.ts";

const asked: Find<AnyRow>[] = [];
const whole = { tenant_id: "a", user_id: "u", blocked: false };
/** Gives more than the fields that it was asked for, as an adapter may. */
const { collections } = defineAdapter(() => ({
  insert: async () => true,
  find: async (query) => {
    asked.push(query);
    return [whole];
  },
  count: async () => 0,
  update: async () => 0,
  delete: async () => 0,
}));
const { users } = tenantData(collections, "a");
const untyped: { find(query: object): Promise<object[]> } = users;
const where = { user_id: "u" };

test("each question is asked in the tenant, and of living rows alone", async () => {
  await users.find({ where, limit: 1 });
  expect(asked.at(-1)?.where).toEqual({ tenant_id: "a", user_id: "u", deleting_at: null });
});

test("rows come without the tenant, also where an adapter gives more than the fields that were asked for", async () => {
  expect(await users.find({ where, fields: ["blocked"], limit: 1 })).toEqual([{ user_id: "u", blocked: false }]);
});

describe("the tenant cannot be named", () => {
  const refused: readonly (readonly [string, object])[] = [
    ["in a condition", { where: { ...where, tenant_id: "b" }, limit: 1 }],
    ["in an order", { where, orderBy: { fields: ["tenant_id", "user_id"], direction: "asc" }, limit: 1 }],
    ["among the fields", { where, fields: ["tenant_id"], limit: 1 }],
  ];
  test.each(refused)("%s", async (_, query) => {
    await expect(untyped.find(query)).rejects.toThrow(TypeError);
  });
});
