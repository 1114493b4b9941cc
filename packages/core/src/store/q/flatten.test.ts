import { expect, test } from "vitest";
import type { Filter } from "../contract.ts";
import { boolean, integer, nullable, object, string, strings, text } from "../description.ts";
import { flatten } from "./flatten.ts";

const fields = {
  email: string(320),
  name: nullable(string(300)),
  count: integer,
  blocked: boolean,
  notes: text,
  tags: strings,
  data: object,
};
const flat = (filter: Filter) => flatten(filter, { fields });
const email = (value: string): Filter => ({ field: "email", op: "eq", value });
const count = (op: "gt" | "lt" | "gte", value: number): Filter => ({ field: "count", op, value });

test("a comparison becomes a flat condition", () => {
  expect(flat(email("a"))).toEqual({ email: "a" });
  expect(flat(count("gt", 1))).toEqual({ count: { gt: 1 } });
  expect(flat({ field: "name", op: "exists" })).toEqual({ name: { exists: true } });
  expect(flat({ not: { field: "name", op: "exists" } })).toEqual({ name: { exists: false } });
});

test("a conjunction becomes one object, with the conditions of a field merged", () => {
  const filter: Filter = { and: [email("a"), { and: [count("gt", 1), count("lt", 5), { field: "count", op: "exists" }] }] };
  expect(flat(filter)).toEqual({ email: "a", count: { gt: 1, lt: 5 } });
  expect(flat({ and: [email("a"), { field: "email", op: "prefix", value: "b" }] })).toEqual({ email: { in: ["a"], prefix: "b" } });
});

test("alternatives for one field become an `in` list", () => {
  expect(flat({ or: [email("a"), email("b")] })).toEqual({ email: { in: ["a", "b"] } });
  const many = (length: number): Filter => ({ or: Array.from({ length }, (_, i) => email(`e${i}`)) });
  expect(flat(many(50))).toBeDefined();
  expect(flat(many(51))).toBeUndefined();
});

test.each<[string, Filter]>([
  ["alternatives of two fields", { or: [email("a"), { field: "name", op: "eq", value: "a" }] }],
  ["alternatives that are not equalities", { or: [email("a"), count("gt", 1)] }],
  ["an empty list of alternatives", { or: [] }],
  ["an empty conjunction, which would match everything", { and: [] }],
  ["a negated comparison", { not: email("a") }],
  ["a negated conjunction", { not: { and: [email("a")] } }],
  ["one operator twice", { and: [count("gt", 1), count("gt", 2)] }],
  ["two equalities", { and: [email("a"), email("b")] }],
  ["absence together with a value", { and: [{ not: { field: "name", op: "exists" } }, { field: "name", op: "eq", value: "a" }] }],
  ["a member of an object", { field: "data", path: ["a"], op: "eq", value: "x" }],
  ["an object", { field: "data", op: "exists" }],
  ["a list", { field: "tags", op: "eq", value: "x" }],
  ["long text", { field: "notes", op: "eq", value: "x" }],
  ["an unknown field", { field: "constructor", op: "eq", value: "x" }],
  ["a value of another type", { field: "count", op: "eq", value: "1" }],
])("%s is not flat", (_, filter) => expect(flat(filter)).toBeUndefined());
