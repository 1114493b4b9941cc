import type { AnyRow } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { equal } from "../failure.ts";
import { randomToken } from "../rows.ts";
import type { TestedCollection } from "../subject.ts";
import { checkEveryMethod, storesEach } from "./every-method.ts";

const collation =
  "Different codes, ids and hashes must not be equal. By default, many databases compare text by the rules of a language instead of bytes.";

/** Stores one text, and checks with each operator that the other texts do not match it. */
async function areOthers(s: TestedCollection<"text" | "unique">, stored: string, others: readonly string[]): Promise<void> {
  const { text, unique } = s.fields;
  const row = s.row({ [text]: stored, [unique]: stored });
  await s.put(row);
  const check = await checkEveryMethod(s, text, [row]);
  for (const other of others) {
    const words = `rows with '${stored}', checked for '${other}'`;
    await check(`${words} by equality`, { [text]: other }, []);
    await check(`${words} by in`, { [text]: { in: [other] } }, []);
    // A prefix check is omitted if the stored text starts with the other text.
    if (!stored.startsWith(other)) await check(`${words} by prefix`, { [text]: { prefix: other } }, []);
    if (!stored.includes(other)) await check(`${words} by contains`, { [text]: { contains: other } }, []);
    const rival: AnyRow = { ...s.rival(row), [unique]: other, [text]: "a rival" };
    await s.put(rival);
    equal(`whether the unique key '${other}' can be inserted next to '${stored}'`, (await s.stored(rival)) !== undefined, true);
  }
  await check("the text itself", { [text]: stored }, [stored]);
}

export const codePoints = "text: is ordered by code point";
export const letterCase = "text: is case-sensitive";

export const textCases = [
  define(letterCase, collation, ["text", "unique", "sortText"], async (s) => {
    await areOthers(s, "aBc", ["abc", "ABC", "aBC"]);
    await areOthers(s, "É", ["é"]);
    const { sortText } = s.fields;
    const page = { in: ["x", "X", "w", "Y"] };
    await s.put(...s.rows(sortText, page.in));
    equal("in order", await s.values(sortText, { [sortText]: page }, { orderBy: s.order(sortText) }), ["X", "Y", "w", "x"]);
  }),

  define("text: distinguishes accents and forms of a letter", collation, ["text", "unique"], async (s) => {
    await areOthers(s, "straße", ["strasse", "STRASSE"]);
    await areOthers(s, "caf\u00e9", ["cafe", "cafe\u0301"]);
    await areOthers(s, "ﬁ", ["fi"]);
    await areOthers(s, "😀", ["😁", "", "?", "\ufffd"]);
  }),

  define("text: distinguishes trailing spaces", collation, ["text", "unique"], async (s) => {
    await areOthers(s, "a", ["a ", " a"]);
    await areOthers(s, " ", ["", "  "]);
  }),

  define(codePoints, "Two stores, or a store and core's cursor, must agree on the next row.", ["sortText"], async (s) => {
    const { sortText } = s.fields;
    // The last two texts have the opposite order by UTF-16 units. All texts after 'z' would move under the sorting
    // rules of a language.
    const ordered = ["", " ", "-", "10", "9", "_", "a", "a ", "a-b", "ab", "z", "ß", "é", "я", "漢", "\uffee", "😀"];
    const rows = s.rows(sortText, ordered.toReversed());
    await s.put(...rows);
    equal("in order", await s.values(sortText, {}, { orderBy: s.order(sortText) }), ordered);
    const check = await checkEveryMethod(s, sortText, rows);
    await check("texts after \\uffee", { [sortText]: { gt: "\uffee" } }, ["😀"]);
    await check("texts up to '10'", { [sortText]: { lte: "10" } }, ordered.slice(0, 4));
  }),

  define("text: is stored unchanged", "Users choose their names. Stored text is data, never code.", ["text"], async (s) => {
    const { text } = s.fields;
    const values = [
      "👩🏽‍🚀 é ﷽ עברית ไทย \u{10ffff}",
      "line\nbreak\r\n\ttab \u0001 \u2028 \ufeff",
      `'; DROP TABLE users; -- " \` \\ \\' \${x} {{x}} $1 :name ? @p`,
      "007",
      "1e3",
      "true",
      "null",
      "{}",
      "[1]",
      "2024-01-01T00:00:00.000Z",
      "   ",
    ];
    await storesEach(s, text, values);
    const check = await checkEveryMethod(s, text, s.rows(text, values));
    for (const value of values) await check(JSON.stringify(value), { [text]: value }, [value]);
  }),

  define(
    "text: a value that no field can store matches nothing",
    "Callers choose ids and names. A store that truncates long text matches another row, and some stores throw an error.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      const key = s.description.key.at(-1) ?? "";
      // Each character has four bytes, so that a text with more characters also has more bytes.
      const full = "😀".repeat(lengthOf(s, text));
      const long = `${full}😀`;
      const check = await checkEveryMethod(s, text, s.rows(text, [full, "short"]));
      for (const [what, other] of [
        ["too long", long],
        ["much too long", full + "😀".repeat(20_000)],
        ["with NUL", "short\0"],
        ["with a lone surrogate", "short\ud83d"],
      ] as const) {
        await check(`equality, ${what}`, { [text]: other }, []);
        await check(`in, ${what}`, { [text]: { in: [other] } }, []);
        await check(`in, ${what}, next to others`, { [text]: { in: [other, "short", `${other} too`] } }, ["short"]);
        await check(`prefix, ${what}`, { [text]: { prefix: other } }, []);
        await check(`contains, ${what}`, { [text]: { contains: other } }, []);
      }
      // A text that is too long to be stored still has a position in the order.
      await check("lt", { [text]: { lt: long } }, [full, "short"]);
      await check("lte", { [text]: { lte: long } }, [full, "short"]);
      await check("gt", { [text]: { gt: long } }, []);
      await check("gte", { [text]: { gte: long } }, []);

      const fullKey = randomToken(lengthOf(s, key));
      await s.put(s.row({ [key]: fullKey }));
      equal("rows by a key of full length", await s.count({ [key]: fullKey }), 1);
      for (const other of [`${fullKey}k`, fullKey + "k".repeat(20_000)]) {
        equal("rows by a key that is longer", await s.count({ [key]: other }), 0);
        equal("result of an update by it", Number(await s.collection.update(s.where({ [key]: other }), { set: { [text]: "x" } })), 0);
        equal("result of a delete by it", Number(await s.collection.delete(s.where({ [key]: other }))), 0);
      }
    },
  ),
];

/** Returns the maximum length of a text field, in characters. */
function lengthOf({ description }: TestedCollection, name: string): number {
  const field = description.fields[name];
  return field?.type === "string" ? field.length : 0;
}
