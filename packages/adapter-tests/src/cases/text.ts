import type { AnyRow } from "@postern/core";
import { define } from "../definition.ts";
import { equal } from "../failure.ts";
import type { Subject } from "../subject.ts";

const collation =
  "Codes, ids and hashes that differ are different. Many databases compare text by the rules of a language unless told to compare bytes.";

/** Stores one text and asks for others, which are not it, in each way there is to ask. */
async function areOthers(s: Subject<"text" | "unique">, stored: string, others: readonly string[]): Promise<void> {
  const { text, unique } = s.fields;
  const row = s.row({ [text]: stored, [unique]: stored });
  await s.put(row);
  for (const other of others) {
    const words = `rows with '${stored}', asked for '${other}'`;
    equal(`${words} by equality`, await s.count({ [text]: other }), 0);
    equal(`${words} by in`, await s.count({ [text]: { in: [other] } }), 0);
    // A longer text may well begin with a shorter one.
    if (!stored.startsWith(other)) equal(`${words} by prefix`, await s.count({ [text]: { prefix: other } }), 0);
    if (!stored.includes(other)) equal(`${words} by contains`, await s.count({ [text]: { contains: other } }), 0);
    const rival: AnyRow = { ...s.rival(row), [unique]: other, [text]: "a rival" };
    await s.put(rival);
    equal(`whether '${other}' is a free unique key beside '${stored}'`, (await s.stored(rival)) !== undefined, true);
  }
  equal("the text itself", await s.count({ [text]: stored }), 1);
}

export const codePoints = "text: is ordered by code point";
export const letterCase = "text: letter case counts";

export const textCases = [
  define(letterCase, collation, ["text", "unique", "sortText"], async (s) => {
    await areOthers(s, "aBc", ["abc", "ABC", "aBC"]);
    await areOthers(s, "É", ["é"]);
    const { sortText } = s.fields;
    const page = { in: ["x", "X", "w", "Y"] };
    await s.put(...s.rows(sortText, page.in));
    equal("in order", await s.values(sortText, { [sortText]: page }, { orderBy: s.order(sortText) }), ["X", "Y", "w", "x"]);
  }),

  define("text: accents and forms of a letter count", collation, ["text", "unique"], async (s) => {
    await areOthers(s, "straße", ["strasse", "STRASSE"]);
    await areOthers(s, "caf\u00e9", ["cafe", "cafe\u0301"]);
    await areOthers(s, "ﬁ", ["fi"]);
    await areOthers(s, "😀", ["😁", "", "?", "\ufffd"]);
  }),

  define("text: spaces at the end count", collation, ["text", "unique"], async (s) => {
    await areOthers(s, "a", ["a ", " a"]);
    await areOthers(s, " ", ["", "  "]);
  }),

  define(codePoints, "Two stores, or a store and core's cursor, must agree which row comes next.", ["sortText"], async (s) => {
    const { sortText } = s.fields;
    // The last two are in the other order when compared by UTF-16 units, and all after 'z' move under the rules of a language.
    const ordered = ["", " ", "-", "10", "9", "_", "a", "a ", "a-b", "ab", "z", "ß", "é", "я", "漢", "\uffee", "😀"];
    await s.put(...s.rows(sortText, ordered.toReversed()));
    equal("in order", await s.values(sortText, {}, { orderBy: s.order(sortText) }), ordered);
    equal("texts after \\uffee", await s.values(sortText, { [sortText]: { gt: "\uffee" } }), ["😀"]);
    equal("texts up to '10'", await s.count({ [sortText]: { lte: "10" } }), 4);
  }),

  define("text: is kept as it is", "Names are people's own; what is stored is data, never code.", ["text"], async (s) => {
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
    const rows = s.rows(text, values);
    await s.put(...rows);
    for (const row of rows) equal("a text", (await s.stored(row))?.[text], row[text]);
    for (const value of values) equal(`rows with ${JSON.stringify(value)}`, await s.count({ [text]: value }), 1);
  }),
];
