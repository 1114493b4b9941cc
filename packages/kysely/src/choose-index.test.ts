import { expect, test } from "vitest";
import { chooseIndex, type Indexes } from "./choose-index.ts";

const indexes: Indexes = {
  unique: [
    ["tenant_id", "id"],
    ["tenant_id", "connection", "email_key"],
  ],
  others: [
    ["tenant_id", "user_id", "created_at", "id"],
    ["tenant_id", "created_at", "id"],
    ["tenant_id", "linked_to", "deleting_at"],
    ["deleting_at", "tenant_id", "id"],
    ["expires_at"],
  ],
};

const tenant_id = "t";

test("hides every other condition if all fields of a unique key are named", () => {
  const where = { tenant_id, id: "1", user_id: "u", deleting_at: null };
  expect(chooseIndex(indexes, where, "page")).toEqual({ hidden: new Set(["user_id", "deleting_at"]), order: [], hidesOrder: false });
  expect(chooseIndex(indexes, { tenant_id, id: { in: ["1", "2"] } }, "page", ["created_at", "id"]).hidesOrder).toBe(true);
});

test("uses the index of the field that selects rows, and its order", () => {
  const where = { tenant_id, user_id: "u", deleting_at: null, expires_at: { gt: 0 } };
  expect(chooseIndex(indexes, where, "page")).toEqual({
    hidden: new Set(["deleting_at", "expires_at"]),
    order: ["created_at", "id"],
    hidesOrder: false,
  });
  expect(chooseIndex(indexes, where, "page", ["created_at", "id"]).hidesOrder).toBe(false);
});

test("adds no order after a list of values", () => {
  expect(chooseIndex(indexes, { tenant_id, user_id: { in: ["u", "v"] } }, "page").order).toEqual([]);
});

test("hides the order of a query if only another index has it", () => {
  expect(chooseIndex(indexes, { tenant_id, user_id: "u" }, "page", ["linked_to", "id"]).hidesOrder).toBe(true);
});

test("reads a list along an index that starts with the tenant", () => {
  expect(chooseIndex(indexes, { tenant_id, deleting_at: null }, "page", ["created_at", "id"])).toMatchObject({
    hidden: new Set(["deleting_at"]),
    hidesOrder: false,
  });
  expect(chooseIndex(indexes, { tenant_id }, "page").order).toEqual(["id"]);
});

test("treats `exists: false` as a comparison with null", () => {
  expect(chooseIndex(indexes, { tenant_id, linked_to: "", deleting_at: { exists: false } }, "set").hidden).toEqual(new Set());
});

test("counts with the index that has the most conditions", () => {
  expect(chooseIndex(indexes, { tenant_id, linked_to: "", deleting_at: null }, "set").hidden).toEqual(new Set());
  expect(chooseIndex(indexes, { tenant_id, deleting_at: null }, "set").hidden).toEqual(new Set());
});

test("reads the expired rows of all tenants in the order of their expiry", () => {
  expect(chooseIndex(indexes, { expires_at: { lt: 1 } }, "page")).toEqual({ hidden: new Set(), order: ["expires_at"], hidesOrder: false });
});

test("changes nothing if no index has a field of the condition", () => {
  expect(chooseIndex(indexes, { tenant_id, name: "n", deleting_at: null }, "page")).toEqual({
    hidden: new Set(),
    order: [],
    hidesOrder: false,
  });
});
