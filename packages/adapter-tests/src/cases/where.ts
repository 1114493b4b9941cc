import { define } from "../definition.ts";
import { assume, equal } from "../failure.ts";
import { checkEveryMethod } from "./every-method.ts";
import { nullIsNotEmpty } from "./values.ts";

const t = "a literal % and _ and \\ and * and ? and [a] and 'quote'";

export const whereCases = [
  define(
    "where: a bare value means equality, for every type",
    "All other conditions depend on it.",
    ["text", "integer", "boolean", "instant"],
    async (s) => {
      const { text, integer, boolean, instant } = s.fields;
      const check = await checkEveryMethod(s, text, [s.row({ [text]: "one", [integer]: -1, [boolean]: true, [instant]: 1 }), s.row()]);
      await check("text", { [text]: "one" }, ["one"]);
      await check("an integer", { [integer]: -1 }, ["one"]);
      await check("true", { [boolean]: true }, ["one"]);
      await check("an instant", { [instant]: 1 }, ["one"]);
      await check("false", { [boolean]: false }, [""]);
      await check("''", { [text]: "" }, [""]);
    },
  ),

  define(
    "where: all conditions must match",
    "A conditional update names the required state. If one condition is ignored, a code can be redeemed twice.",
    ["text", "integer", "boolean"],
    async (s) => {
      const { text, integer, boolean } = s.fields;
      const check = await checkEveryMethod(s, text, [
        s.row({ [text]: "a", [integer]: 1 }),
        s.row({ [text]: "a", [integer]: 2 }),
        s.row({ [text]: "b", [integer]: 2, [boolean]: true }),
      ]);
      await check("two conditions", { [text]: "a", [integer]: 2 }, ["a"]);
      await check("three, of which one fails", { [text]: "a", [integer]: 2, [boolean]: true }, []);
      await check("two operators on one field", { [integer]: { gt: 1, lt: 2 } }, []);
      await check("two operators on one field that hold", { [integer]: { gte: 1, lte: 1 } }, ["a"]);
    },
  ),

  define(
    "where: null and exists",
    "'Not revoked' is `revoked_at: null`. In SQL, `= NULL` matches nothing.",
    ["nullableInstant"],
    async (s) => {
      const { nullableInstant } = s.fields;
      const check = await checkEveryMethod(s, nullableInstant, s.rows(nullableInstant, [null, 0, 5]));
      await check("null", { [nullableInstant]: null }, [null]);
      await check("exists: false", { [nullableInstant]: { exists: false } }, [null]);
      await check("exists: true", { [nullableInstant]: { exists: true } }, [0, 5]);
    },
  ),

  define(
    "where: comparisons and text operators never match null",
    "A token that does not expire (null) must not count as expired.",
    ["nullableInstant", "nullableText"],
    async (s) => {
      const { nullableInstant: instant, nullableText: text } = s.fields;
      const row = s.row({ [instant]: null, [text]: null });
      await s.put(row);
      assume((await s.stored(row))?.[text] === null, nullIsNotEmpty);
      const check = await checkEveryMethod(s, text, [row]);
      for (const operator of ["lt", "lte", "gt", "gte"]) {
        await check(`${operator} 0 on null`, { [instant]: { [operator]: 0 } }, []);
        await check(`${operator} '' on null`, { [text]: { [operator]: "" } }, []);
      }
      for (const operator of ["prefix", "contains"]) await check(`${operator} '' on null`, { [text]: { [operator]: "" } }, []);
      await check("in on null", { [text]: { in: ["", "null"] } }, []);
    },
  ),

  define("where: in accepts 1 to 50 values", "Core fetches rows by their ids, fifty at a time.", ["integer"], async (s) => {
    const { integer } = s.fields;
    const check = await checkEveryMethod(s, integer, s.rows(integer, [1, 2, 3, 50]));
    await check("one", { [integer]: { in: [2] } }, [2]);
    await check("some, one of them twice and one that no row has", { [integer]: { in: [3, 1, 3, 9] } }, [1, 3]);
    await check("fifty", { [integer]: { in: Array.from({ length: 50 }, (_, i) => i + 1) } }, [1, 2, 3, 50]);
  }),

  define(
    "where: lt, lte, gt and gte",
    "Expiry is a comparison. An off-by-one error extends the life of a token.",
    ["instant"],
    async (s) => {
      const { instant } = s.fields;
      const check = await checkEveryMethod(s, instant, s.rows(instant, [9, 10, 11]));
      await check("lt 10", { [instant]: { lt: 10 } }, [9]);
      await check("lte 10", { [instant]: { lte: 10 } }, [9, 10]);
      await check("gt 10", { [instant]: { gt: 10 } }, [11]);
      await check("gte 10", { [instant]: { gte: 10 } }, [10, 11]);
    },
  ),

  define("where: prefix and contains", "Searches in lists use these operators.", ["text"], async (s) => {
    const { text } = s.fields;
    const check = await checkEveryMethod(s, text, s.rows(text, ["anna", "hanna", "ann", ""]));
    await check("prefix", { [text]: { prefix: "ann" } }, ["ann", "anna"]);
    await check("contains", { [text]: { contains: "anna" } }, ["anna", "hanna"]);
    await check("prefix of the whole value", { [text]: { prefix: "hanna" } }, ["hanna"]);
    await check("prefix with contains", { [text]: { prefix: "h", contains: "nn" } }, ["hanna"]);
    await check("an empty prefix", { [text]: { prefix: "" } }, ["anna", "hanna", "ann", ""]);
  }),

  define(
    "where: a prefix matches every text that starts with it",
    "A range for a prefix needs an end after all matching texts. No single character can mark that end: emoji, for example, come after U+FFFF.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      const ends = [
        "",
        "c",
        "\ud7ff",
        "\ue000",
        "\uf8ff",
        "\uf8ffc",
        "\uffff",
        "\uffff".repeat(9),
        "😀",
        "\u{10ffff}",
        "\u{10ffff}\u{10ffff}",
      ];
      const found = ends.map((end) => `ab${end}`);
      const check = await checkEveryMethod(s, text, s.rows(text, [...found, "a", "aa\u{10ffff}", "ac", "aB", "😀"]));
      await check("prefix ab", { [text]: { prefix: "ab" } }, found);
      for (const end of ["\ud7ff", "\uf8ff", "\uffff", "\u{10ffff}"]) {
        const wanted = found.filter((value) => value.startsWith(`ab${end}`));
        await check(`prefix ${JSON.stringify(`ab${end}`)}`, { [text]: { prefix: `ab${end}` } }, wanted);
      }
    },
  ),

  define("where: wildcard characters are literal", "If a search for '%' lists all users, it reveals accounts.", ["text"], async (s) => {
    const { text } = s.fields;
    const check = await checkEveryMethod(s, text, s.rows(text, [t, "plain", "a_b", "a%b", "a*b", "a\\b", "acb"]));
    for (const special of ["%", "_", "*", "?", "\\", "[a]", ".", "^", "$", "'"]) {
      const expected = [t, "a_b", "a%b", "a*b", "a\\b"].filter((value) => value.includes(special));
      await check(`contains ${special}`, { [text]: { contains: special } }, expected);
      const beginning = expected.filter((value) => value.startsWith(`a${special}`));
      await check(`prefix a${special}`, { [text]: { prefix: `a${special}` } }, beginning);
    }
  }),

  define("where: a condition that no row matches", "Callers expect an empty list, not null and not an error.", ["text"], async (s) => {
    equal("find", await s.find(), []);
    equal("count", await s.count(), 0);
  }),
];
