import { define } from "../definition.ts";
import { assume, equal, equalInAnyOrder } from "../failure.ts";
import { nullIsNotEmpty } from "./values.ts";

const t = "a literal % and _ and \\ and * and ? and [a] and 'quote'";

export const whereCases = [
  define(
    "where: a bare value is equality, in every type",
    "Everything else builds on it.",
    ["text", "integer", "boolean", "instant"],
    async (s) => {
      const { text, integer, boolean, instant } = s.fields;
      const row = s.row({ [text]: "one", [integer]: -1, [boolean]: true, [instant]: 1 });
      await s.put(row, s.row());
      for (const field of [text, integer, boolean, instant]) {
        const value = row[field] ?? null;
        if (typeof value === "object") continue;
        equal(`rows whose ${field} is ${value}`, await s.find({ [field]: value }), [row]);
      }
      equal("rows whose boolean is false", await s.count({ [boolean]: false }), 1);
      equal("rows whose text is ''", await s.count({ [text]: "" }), 1);
    },
  ),

  define(
    "where: all conditions must hold",
    "A guarded update names every state that must hold; one ignored guard is a code spent twice.",
    ["text", "integer", "boolean"],
    async (s) => {
      const { text, integer, boolean } = s.fields;
      await s.put(
        s.row({ [text]: "a", [integer]: 1 }),
        s.row({ [text]: "a", [integer]: 2 }),
        s.row({ [text]: "b", [integer]: 2, [boolean]: true }),
      );
      equal("two conditions", await s.count({ [text]: "a", [integer]: 2 }), 1);
      equal("three, of which one fails", await s.count({ [text]: "a", [integer]: 2, [boolean]: true }), 0);
      equal("two operators on one field", await s.count({ [integer]: { gt: 1, lt: 2 } }), 0);
      equal("two operators on one field that hold", await s.count({ [integer]: { gte: 1, lte: 1 } }), 1);
    },
  ),

  define(
    "where: null and exists",
    "'Not revoked' is `revoked_at: null`. In SQL, `= NULL` matches nothing.",
    ["nullableInstant"],
    async (s) => {
      const { nullableInstant } = s.fields;
      await s.put(...s.rows(nullableInstant, [null, 0, 5]));
      equal("null", await s.values(nullableInstant, { [nullableInstant]: null }), [null]);
      equal("exists: false", await s.values(nullableInstant, { [nullableInstant]: { exists: false } }), [null]);
      equal("exists: true", await s.values(nullableInstant, { [nullableInstant]: { exists: true } }), [0, 5]);
    },
  ),

  define(
    "where: comparisons and text operators never match null",
    "A token that does not expire (null) is not one that expired before now.",
    ["nullableInstant", "nullableText"],
    async (s) => {
      const { nullableInstant: instant, nullableText: text } = s.fields;
      const row = s.row({ [instant]: null, [text]: null });
      await s.put(row);
      assume((await s.stored(row))?.[text] === null, nullIsNotEmpty);
      for (const operator of ["lt", "lte", "gt", "gte"]) {
        equal(`${operator} 0 on null`, await s.count({ [instant]: { [operator]: 0 } }), 0);
        equal(`${operator} '' on null`, await s.count({ [text]: { [operator]: "" } }), 0);
      }
      for (const operator of ["prefix", "contains"]) equal(`${operator} '' on null`, await s.count({ [text]: { [operator]: "" } }), 0);
      equal("in on null", await s.count({ [text]: { in: ["", "null"] } }), 0);
    },
  ),

  define("where: in takes 1 to 50 values", "Rows are fetched by their ids fifty at a time.", ["integer"], async (s) => {
    const { integer } = s.fields;
    await s.put(...s.rows(integer, [1, 2, 3, 50]));
    equal("one", await s.values(integer, { [integer]: { in: [2] } }), [2]);
    equal("some, one of them twice and one that no row has", await s.values(integer, { [integer]: { in: [3, 1, 3, 9] } }), [1, 3]);
    equal("fifty", await s.count({ [integer]: { in: Array.from({ length: 50 }, (_, i) => i + 1) } }), 4);
  }),

  define("where: lt, lte, gt and gte", "Expiry is a comparison; off by one is a token that lives on.", ["instant"], async (s) => {
    const { instant } = s.fields;
    await s.put(...s.rows(instant, [9, 10, 11]));
    equal("lt 10", await s.values(instant, { [instant]: { lt: 10 } }), [9]);
    equal("lte 10", await s.count({ [instant]: { lte: 10 } }), 2);
    equal("gt 10", await s.values(instant, { [instant]: { gt: 10 } }), [11]);
    equal("gte 10", await s.count({ [instant]: { gte: 10 } }), 2);
  }),

  define("where: prefix and contains", "Search in lists.", ["text"], async (s) => {
    const { text } = s.fields;
    await s.put(...s.rows(text, ["anna", "hanna", "ann", ""]));
    equal("prefix", await s.values(text, { [text]: { prefix: "ann" } }), ["ann", "anna"]);
    equal("contains", await s.values(text, { [text]: { contains: "anna" } }), ["anna", "hanna"]);
    equal("prefix of the whole value", await s.values(text, { [text]: { prefix: "hanna" } }), ["hanna"]);
    equal("prefix with contains", await s.values(text, { [text]: { prefix: "h", contains: "nn" } }), ["hanna"]);
    equal("an empty prefix matches any text", await s.count({ [text]: { prefix: "" } }), 4);
  }),

  define(
    "where: wildcards mean themselves",
    "A search for '%' that lists everybody tells a stranger who has an account.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      await s.put(...s.rows(text, [t, "plain", "a_b", "a%b", "a*b", "a\\b", "acb"]));
      for (const special of ["%", "_", "*", "?", "\\", "[a]", ".", "^", "$", "'"]) {
        const expected = [t, "a_b", "a%b", "a*b", "a\\b"].filter((value) => value.includes(special));
        equalInAnyOrder(`contains ${special}`, await s.values(text, { [text]: { contains: special } }), expected);
        equalInAnyOrder(
          `prefix a${special}`,
          await s.values(text, { [text]: { prefix: `a${special}` } }),
          expected.filter((value) => value.startsWith(`a${special}`)),
        );
      }
    },
  ),

  define("where: a question that nothing answers", "No row is an empty list, not null and not an error.", ["text"], async (s) => {
    equal("find", await s.find(), []);
    equal("count", await s.count(), 0);
  }),
];
