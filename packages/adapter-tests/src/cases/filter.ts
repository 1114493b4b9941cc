import type { Filter, Scalar } from "@postern/core/adapter";
import { define, needFilters } from "../definition.ts";
import { assume, equal, inOneOrder } from "../failure.ts";
import type { TestedCollection } from "../subject.ts";
import { limits, offsets } from "./pages.ts";
import { letterCase } from "./text.ts";
import { nullIsNotEmpty } from "./values.ts";

/** Returns the texts in the rows that match a filter. Requires that `count` returns the number of these rows. */
async function found(s: TestedCollection<"text">, filter: Filter): Promise<unknown[]> {
  const texts = await s.values(s.fields.text, {}, { filter });
  equal(`count and find with the filter ${JSON.stringify(filter)}`, Number(await s.collection.count(s.where(), filter)), texts.length);
  return texts;
}

type Operator = "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains";
const is = (field: string, op: Operator, value: Scalar): Filter => ({ field, op, value });
const at = (field: string, path: readonly string[], op: Operator, value: Scalar): Filter => ({ field, path, op, value });

export const filterCases = [
  define("filter: supports each operator", "Searches with the parameter `q` use every operator.", ["text", "integer"], async (s) => {
    needFilters(s);
    const { text, integer } = s.fields;
    await s.put(...["ann", "bob", "hanna"].map((name, i) => s.row({ [text]: name, [integer]: i })));
    equal("eq", await found(s, is(text, "eq", "ann")), ["ann"]);
    equal("prefix", await found(s, is(text, "prefix", "ha")), ["hanna"]);
    equal("contains", await found(s, is(text, "contains", "ann")), ["ann", "hanna"]);
    equal("lt", await found(s, is(integer, "lt", 1)), ["ann"]);
    equal("lte", await found(s, is(integer, "lte", 1)), ["ann", "bob"]);
    equal("gt", await found(s, is(integer, "gt", 1)), ["hanna"]);
    equal("gte", await found(s, is(integer, "gte", 1)), ["bob", "hanna"]);
  }),

  define("filter: and, or and not can be nested", "Parentheses in `q` must have an effect.", ["text", "integer"], async (s) => {
    needFilters(s);
    const { text, integer } = s.fields;
    await s.put(...["a", "b", "c", "d"].map((name, i) => s.row({ [text]: name, [integer]: i })));
    const [a, b, c] = [is(text, "eq", "a"), is(text, "eq", "b"), is(text, "eq", "c")] as const;
    const big = is(integer, "gte", 1);
    equal("(a or b) and big", await found(s, { and: [{ or: [a, b] }, big] }), ["b"]);
    equal("a or (b and big)", await found(s, { or: [a, { and: [b, big] }] }), ["a", "b"]);
    equal("not (a or b)", await found(s, { not: { or: [a, b] } }), ["c", "d"]);
    equal("not a and not c", await found(s, { and: [{ not: a }, { not: c }] }), ["b", "d"]);
    equal("not not a", await found(s, { not: { not: a } }), ["a"]);
  }),

  define(
    "filter: applies within the condition",
    "`tenant and a or b` without parentheses matches b in every tenant.",
    ["text", "integer"],
    async (s) => {
      needFilters(s);
      const { text, integer } = s.fields;
      await s.put(...["a", "b"].map((name) => s.row({ [text]: name, [integer]: 1 })), s.row({ [text]: "b", [integer]: 2 }));
      const filter: Filter = { or: [is(text, "eq", "a"), is(text, "eq", "b")] };
      equal("find", (await s.find({ [integer]: 1 }, { filter })).length, 2);
      equal("count", Number(await s.collection.count(s.where({ [integer]: 1 }), filter)), 2);
    },
  ),

  define(
    "filter: not matches missing values",
    "In SQL, NOT of unknown is unknown: 'all users except admins' would omit users without a role.",
    ["text", "nullableText", "object"],
    async (s) => {
      needFilters(s);
      const { text, nullableText: field, object } = s.fields;
      const missing = s.row({ [text]: "missing", [field]: null, [object]: {} });
      await s.put(
        missing,
        s.row({ [text]: "null inside", [field]: null, [object]: { plan: null } }),
        s.row({ [text]: "there", [field]: "x", [object]: { plan: "x" } }),
        s.row({ [text]: "other", [field]: "y", [object]: { plan: "y" } }),
      );
      assume((await s.stored(missing))?.[field] === null, nullIsNotEmpty);
      const rest = ["missing", "null inside", "other"];
      equal("not field eq x", await found(s, { not: is(field, "eq", "x") }), rest);
      equal("not field prefix x", await found(s, { not: is(field, "prefix", "x") }), rest);
      equal("not object path eq x", await found(s, { not: at(object, ["plan"], "eq", "x") }), rest);
      equal("not (both)", await found(s, { not: { and: [is(field, "eq", "x"), at(object, ["plan"], "eq", "x")] } }), rest);
      equal("exists, field", await found(s, { field, op: "exists" }), ["other", "there"]);
      equal("exists, path", await found(s, { field: object, path: ["plan"], op: "exists" }), ["other", "there"]);
      equal("not exists, path", await found(s, { not: { field: object, path: ["plan"], op: "exists" } }), ["missing", "null inside"]);
    },
  ),

  define(
    "filter: supports paths into objects and lists at their end",
    "A search for `app_metadata.plan.name:gold` needs a path; a search for one role in a list of roles needs lists.",
    ["text", "object"],
    async (s) => {
      needFilters(s);
      const { text, object } = s.fields;
      await s.put(
        s.row({ [text]: "gold", [object]: { plan: { name: "gold", seats: 5 }, roles: ["admin", "editor"] } }),
        s.row({ [text]: "silver", [object]: { plan: { name: "silver", seats: 12 }, roles: ["editor"] } }),
        s.row({ [text]: "flat", [object]: { plan: "gold", name: "gold", roles: "admin" } }),
        s.row({ [text]: "none", [object]: {} }),
      );
      equal("nested eq", await found(s, at(object, ["plan", "name"], "eq", "gold")), ["gold"]);
      equal("nested prefix", await found(s, at(object, ["plan", "name"], "prefix", "si")), ["silver"]);
      equal("nested contains", await found(s, at(object, ["plan", "name"], "contains", "l")), ["gold", "silver"]);
      equal("nested number", await found(s, at(object, ["plan", "seats"], "gte", 6)), ["silver"]);
      equal("string in a list, or alone", await found(s, at(object, ["roles"], "eq", "admin")), ["flat", "gold"]);
      equal("prefix of a string in a list", await found(s, at(object, ["roles"], "prefix", "edi")), ["gold", "silver"]);
      equal("nested exists", await found(s, { field: object, path: ["plan", "seats"], op: "exists" }), ["gold", "silver"]);
    },
  ),

  define(
    "filter: values of another type do not match",
    '`verified:"true"` is not `verified:true`, and 1 is neither.',
    ["text", "object"],
    async (s) => {
      needFilters(s);
      const { text, object } = s.fields;
      await s.put(
        s.row({ [text]: "number", [object]: { v: 1 } }),
        s.row({ [text]: "string", [object]: { v: "1" } }),
        s.row({ [text]: "true", [object]: { v: true } }),
        s.row({ [text]: "text of true", [object]: { v: "true" } }),
      );
      equal("eq 1", await found(s, at(object, ["v"], "eq", 1)), ["number"]);
      equal("eq '1'", await found(s, at(object, ["v"], "eq", "1")), ["string"]);
      equal("eq true", await found(s, at(object, ["v"], "eq", true)), ["true"]);
      equal("eq 'true'", await found(s, at(object, ["v"], "eq", "true")), ["text of true"]);
      equal("gte 0", await found(s, at(object, ["v"], "gte", 0)), ["number"]);
      equal("gte ''", await found(s, at(object, ["v"], "gte", "")), ["string", "text of true"]);
    },
  ),

  define(
    "filter: any text is valid as a name in a path",
    "Callers choose the names, and some names look like expressions in a JSON path language.",
    ["text", "object"],
    async (s) => {
      needFilters(s);
      const { text, object } = s.fields;
      const names = [
        "a.b",
        'quo"te',
        "it's",
        "$",
        "$.a",
        "[0]",
        "*",
        "back\\slash",
        "",
        " ",
        "漢😀",
        "0",
        "__proto__",
        "a' OR 1=1 --",
        "%",
        "?",
        "{x}",
      ];
      for (const name of names) await s.put(s.row({ [text]: name, [object]: JSON.parse(`{${JSON.stringify(name)}:{"in":"yes"}}`) }));
      for (const name of names)
        equal(`the row with ${JSON.stringify(name)}`, await found(s, at(object, [name, "in"], "eq", "yes")), [name]);
      equal("a name that no row has", await found(s, at(object, ["a", "b"], "eq", "yes")), []);
    },
  ),

  define("filter: text is literal and exact", "The rules of `where` also apply here.", ["text", "object"], async (s) => {
    needFilters(s);
    const { text, object } = s.fields;
    for (const value of ["a_b", "a%b", "a\\b", "é'\"", "acb", "e"]) await s.put(s.row({ [text]: value, [object]: { v: value } }));
    for (const field of [
      (op: Operator, value: Scalar) => is(text, op, value),
      (op: Operator, value: Scalar) => at(object, ["v"], op, value),
    ]) {
      equal("contains _", await found(s, field("contains", "_")), ["a_b"]);
      equal("prefix a%", await found(s, field("prefix", "a%")), ["a%b"]);
      equal("contains \\", await found(s, field("contains", "\\")), ["a\\b"]);
      equal("eq e", await found(s, field("eq", "e")), ["e"]);
      equal("eq é'\"", await found(s, field("eq", "é'\"")), ["é'\""]);
      equal("gt b", await found(s, field("gt", "b")), ["e", "é'\""]);
    }
  }),

  define(
    "filter: a prefix matches every text that starts with it",
    "The rules of `where` also apply here: no character is the greatest one.",
    ["text", "object"],
    async (s) => {
      needFilters(s);
      const { text, object } = s.fields;
      const values = ["ab", "ab\uf8ffc", "ab\uffff\uffff", "ab😀", "ab\u{10ffff}c"];
      for (const value of [...values, "a", "ac"]) await s.put(s.row({ [text]: value, [object]: { v: value } }));
      equal("a field", await found(s, is(text, "prefix", "ab")), inOneOrder(values));
      equal("a member of an object", await found(s, at(object, ["v"], "prefix", "ab")), inOneOrder(values));
    },
  ),

  define(
    "filter: text that is longer than its field matches nothing",
    "The rules of `where` also apply here, and `not` matches such a row.",
    ["text"],
    async (s) => {
      needFilters(s);
      const { text } = s.fields;
      const field = s.description.fields[text];
      const full = "😀".repeat(field?.type === "string" ? field.length : 0);
      await s.put(...s.rows(text, [full, "short"]));
      for (const op of ["eq", "prefix", "contains", "gt", "gte"] as const) {
        equal(op, await found(s, is(text, op, `${full}😀`)), []);
        equal(`not ${op}`, await found(s, { not: is(text, op, `${full}😀`) }), ["short", full]);
      }
      equal("lt", await found(s, is(text, "lt", `${full}😀`)), ["short", full]);
    },
  ),

  define(
    "filter: is case-sensitive",
    "The rules of `where` also apply here; a case-insensitive search uses a lower-case field.",
    ["text", "object"],
    async (s) => {
      needFilters(s);
      const { text, object } = s.fields;
      for (const value of ["abc", "ABC"]) await s.put(s.row({ [text]: value, [object]: { v: value } }));
      assume((await s.count({ [text]: "abc" })) === 1, letterCase);
      for (const field of [
        (op: Operator, value: Scalar) => is(text, op, value),
        (op: Operator, value: Scalar) => at(object, ["v"], op, value),
      ]) {
        equal("eq abc", await found(s, field("eq", "abc")), ["abc"]);
        equal("prefix AB", await found(s, field("prefix", "AB")), ["ABC"]);
        equal("contains bC", await found(s, field("contains", "bC")), []);
      }
    },
  ),

  define(
    "filter: applies to pages and counts",
    "If the filter is applied after the limit, a page of ten may have only three rows.",
    ["sortInteger", "sortInstant", "text"],
    async (s) => {
      needFilters(s);
      const { sortInteger: flag, sortInstant: field } = s.fields;
      await s.put(...Array.from({ length: 12 }, (_, i) => s.row({ [field]: i, [flag]: i % 3 })));
      const filter = is(flag, "eq", 0);
      const orderBy = s.order(field);
      assume((await s.find({}, { orderBy, limit: 2 })).length === 2, limits);
      assume((await s.find({}, { orderBy, offset: 2 })).length === 10, offsets);
      equal("limit 3", await s.values(field, {}, { filter, orderBy, limit: 3 }), [0, 3, 6]);
      equal("limit 2, offset 2", await s.values(field, {}, { filter, orderBy, offset: 2, limit: 2 }), [6, 9]);
      const [, second] = await s.find({}, { filter, orderBy });
      equal("after the second", await s.values(field, {}, { filter, orderBy, after: s.cursor(second, orderBy) }), [6, 9]);
      equal("count", Number(await s.collection.count(s.where(), filter)), 4);
    },
  ),
];
