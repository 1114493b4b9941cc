import { describe, expect, test } from "vitest";
import { defineAdapter, type AnyRow, type Find } from "./contract.ts";
import { tenantData } from "./tenant-data.ts";

const asked: Find<AnyRow>[] = [];
const whole = { tenant_id: "a", user_id: "u", blocked: false };

/** Users of tenant a, in a store that answers every question with the same row. */
function usersIn(answer: AnyRow) {
  const { collections } = defineAdapter(() => ({
    insert: async () => true,
    find: async (query) => {
      asked.push(query);
      return [answer];
    },
    count: async () => 0,
    update: async () => 0,
    delete: async () => 0,
  }));
  return tenantData(collections, "a").users;
}

/** The store gives more than the fields that it was asked for, as an adapter may. */
const users = usersIn(whole);
const untyped: { find(query: object): Promise<object[]> } = users;
const where = { user_id: "u" };

test("each question is asked in the tenant, and of living rows alone", async () => {
  await users.find({ where, limit: 1 });
  expect(asked.at(-1)?.where).toEqual({ tenant_id: "a", user_id: "u", deleting_at: null });
});

test("rows come without the tenant, also where an adapter gives more than the fields that were asked for", async () => {
  expect(await users.find({ where, fields: ["blocked"], limit: 1 })).toEqual([{ user_id: "u", blocked: false }]);
});

test.each([
  ["a row of another tenant", { ...whole, tenant_id: "b" }, "a row of tenant 'b'"],
  ["a row that does not say whose it is", { user_id: "u", blocked: false }, "a row of nobody"],
])("a store that answers with %s is not believed", async (_, answer, reason) => {
  const read = usersIn(answer);
  await expect(read.find({ where, limit: 1 })).rejects.toThrow(reason);
  await expect(read.find({ where, fields: ["blocked"], limit: 1 })).rejects.toMatchObject({ name: "ForeignRowError" });
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
