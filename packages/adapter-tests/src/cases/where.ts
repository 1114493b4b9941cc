import { define } from "../definition.ts";
import { assume, equal } from "../failure.ts";
import { askEveryMethod } from "./every-method.ts";
import { nullIsNotEmpty } from "./values.ts";

const t = "a literal % and _ and \\ and * and ? and [a] and 'quote'";

export const whereCases = [
  define(
    "where: a bare value is equality, in every type",
    "Everything else builds on it.",
    ["text", "integer", "boolean", "instant"],
    async (s) => {
      const { text, integer, boolean, instant } = s.fields;
      const ask = await askEveryMethod(s, text, [s.row({ [text]: "one", [integer]: -1, [boolean]: true, [instant]: 1 }), s.row()]);
      await ask("text", { [text]: "one" }, ["one"]);
      await ask("an integer", { [integer]: -1 }, ["one"]);
      await ask("true", { [boolean]: true }, ["one"]);
      await ask("an instant", { [instant]: 1 }, ["one"]);
      await ask("false", { [boolean]: false }, [""]);
      await ask("''", { [text]: "" }, [""]);
    },
  ),

  define(
    "where: all conditions must hold",
    "A guarded update names every state that must hold; one ignored guard is a code spent twice.",
    ["text", "integer", "boolean"],
    async (s) => {
      const { text, integer, boolean } = s.fields;
      const ask = await askEveryMethod(s, text, [
        s.row({ [text]: "a", [integer]: 1 }),
        s.row({ [text]: "a", [integer]: 2 }),
        s.row({ [text]: "b", [integer]: 2, [boolean]: true }),
      ]);
      await ask("two conditions", { [text]: "a", [integer]: 2 }, ["a"]);
      await ask("three, of which one fails", { [text]: "a", [integer]: 2, [boolean]: true }, []);
      await ask("two operators on one field", { [integer]: { gt: 1, lt: 2 } }, []);
      await ask("two operators on one field that hold", { [integer]: { gte: 1, lte: 1 } }, ["a"]);
    },
  ),

  define(
    "where: null and exists",
    "'Not revoked' is `revoked_at: null`. In SQL, `= NULL` matches nothing.",
    ["nullableInstant"],
    async (s) => {
      const { nullableInstant } = s.fields;
      const ask = await askEveryMethod(s, nullableInstant, s.rows(nullableInstant, [null, 0, 5]));
      await ask("null", { [nullableInstant]: null }, [null]);
      await ask("exists: false", { [nullableInstant]: { exists: false } }, [null]);
      await ask("exists: true", { [nullableInstant]: { exists: true } }, [0, 5]);
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
      const ask = await askEveryMethod(s, text, [row]);
      for (const operator of ["lt", "lte", "gt", "gte"]) {
        await ask(`${operator} 0 on null`, { [instant]: { [operator]: 0 } }, []);
        await ask(`${operator} '' on null`, { [text]: { [operator]: "" } }, []);
      }
      for (const operator of ["prefix", "contains"]) await ask(`${operator} '' on null`, { [text]: { [operator]: "" } }, []);
      await ask("in on null", { [text]: { in: ["", "null"] } }, []);
    },
  ),

  define("where: in takes 1 to 50 values", "Rows are fetched by their ids fifty at a time.", ["integer"], async (s) => {
    const { integer } = s.fields;
    const ask = await askEveryMethod(s, integer, s.rows(integer, [1, 2, 3, 50]));
    await ask("one", { [integer]: { in: [2] } }, [2]);
    await ask("some, one of them twice and one that no row has", { [integer]: { in: [3, 1, 3, 9] } }, [1, 3]);
    await ask("fifty", { [integer]: { in: Array.from({ length: 50 }, (_, i) => i + 1) } }, [1, 2, 3, 50]);
  }),

  define("where: lt, lte, gt and gte", "Expiry is a comparison; off by one is a token that lives on.", ["instant"], async (s) => {
    const { instant } = s.fields;
    const ask = await askEveryMethod(s, instant, s.rows(instant, [9, 10, 11]));
    await ask("lt 10", { [instant]: { lt: 10 } }, [9]);
    await ask("lte 10", { [instant]: { lte: 10 } }, [9, 10]);
    await ask("gt 10", { [instant]: { gt: 10 } }, [11]);
    await ask("gte 10", { [instant]: { gte: 10 } }, [10, 11]);
  }),

  define("where: prefix and contains", "Search in lists.", ["text"], async (s) => {
    const { text } = s.fields;
    const ask = await askEveryMethod(s, text, s.rows(text, ["anna", "hanna", "ann", ""]));
    await ask("prefix", { [text]: { prefix: "ann" } }, ["ann", "anna"]);
    await ask("contains", { [text]: { contains: "anna" } }, ["anna", "hanna"]);
    await ask("prefix of the whole value", { [text]: { prefix: "hanna" } }, ["hanna"]);
    await ask("prefix with contains", { [text]: { prefix: "h", contains: "nn" } }, ["hanna"]);
    await ask("an empty prefix", { [text]: { prefix: "" } }, ["anna", "hanna", "ann", ""]);
  }),

  define(
    "where: a prefix finds every text that begins with it",
    "A prefix as a range needs an end behind all of them, and neither U+FFFF nor any other character is the last: emoji come after it.",
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
      const ask = await askEveryMethod(s, text, s.rows(text, [...found, "a", "aa\u{10ffff}", "ac", "aB", "😀"]));
      await ask("prefix ab", { [text]: { prefix: "ab" } }, found);
      for (const end of ["\ud7ff", "\uf8ff", "\uffff", "\u{10ffff}"]) {
        const wanted = found.filter((value) => value.startsWith(`ab${end}`));
        await ask(`prefix ${JSON.stringify(`ab${end}`)}`, { [text]: { prefix: `ab${end}` } }, wanted);
      }
    },
  ),

  define(
    "where: wildcards mean themselves",
    "A search for '%' that lists everybody tells a stranger who has an account.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      const ask = await askEveryMethod(s, text, s.rows(text, [t, "plain", "a_b", "a%b", "a*b", "a\\b", "acb"]));
      for (const special of ["%", "_", "*", "?", "\\", "[a]", ".", "^", "$", "'"]) {
        const expected = [t, "a_b", "a%b", "a*b", "a\\b"].filter((value) => value.includes(special));
        await ask(`contains ${special}`, { [text]: { contains: special } }, expected);
        const beginning = expected.filter((value) => value.startsWith(`a${special}`));
        await ask(`prefix a${special}`, { [text]: { prefix: `a${special}` } }, beginning);
      }
    },
  ),

  define("where: a question that nothing answers", "No row is an empty list, not null and not an error.", ["text"], async (s) => {
    equal("find", await s.find(), []);
    equal("count", await s.count(), 0);
  }),
];
