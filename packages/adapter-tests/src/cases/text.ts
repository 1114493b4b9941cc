import type { AnyRow } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { equal } from "../failure.ts";
import { token } from "../rows.ts";
import type { Subject } from "../subject.ts";
import { askEveryMethod, keepsEach } from "./every-method.ts";

const collation =
  "Codes, ids and hashes that differ are different. Many databases compare text by the rules of a language unless told to compare bytes.";

/** Stores one text and asks for others, which are not it, in each way there is to ask. */
async function areOthers(s: Subject<"text" | "unique">, stored: string, others: readonly string[]): Promise<void> {
  const { text, unique } = s.fields;
  const row = s.row({ [text]: stored, [unique]: stored });
  await s.put(row);
  const ask = await askEveryMethod(s, text, [row]);
  for (const other of others) {
    const words = `rows with '${stored}', asked for '${other}'`;
    await ask(`${words} by equality`, { [text]: other }, []);
    await ask(`${words} by in`, { [text]: { in: [other] } }, []);
    // A longer text may well begin with a shorter one.
    if (!stored.startsWith(other)) await ask(`${words} by prefix`, { [text]: { prefix: other } }, []);
    if (!stored.includes(other)) await ask(`${words} by contains`, { [text]: { contains: other } }, []);
    const rival: AnyRow = { ...s.rival(row), [unique]: other, [text]: "a rival" };
    await s.put(rival);
    equal(`whether '${other}' is a free unique key beside '${stored}'`, (await s.stored(rival)) !== undefined, true);
  }
  await ask("the text itself", { [text]: stored }, [stored]);
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
    const rows = s.rows(sortText, ordered.toReversed());
    await s.put(...rows);
    equal("in order", await s.values(sortText, {}, { orderBy: s.order(sortText) }), ordered);
    const ask = await askEveryMethod(s, sortText, rows);
    await ask("texts after \\uffee", { [sortText]: { gt: "\uffee" } }, ["😀"]);
    await ask("texts up to '10'", { [sortText]: { lte: "10" } }, ordered.slice(0, 4));
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
    await keepsEach(s, text, values);
    const ask = await askEveryMethod(s, text, s.rows(text, values));
    for (const value of values) await ask(JSON.stringify(value), { [text]: value }, [value]);
  }),

  define(
    "text: what no field holds equals nothing",
    "Ids and names come from callers. A store that cuts what is too long finds somebody else, and some answer with an error.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      const key = s.description.key.at(-1) ?? "";
      // Four bytes a character, so that what is longer in characters is so in bytes.
      const full = "😀".repeat(lengthOf(s, text));
      const long = `${full}😀`;
      const ask = await askEveryMethod(s, text, s.rows(text, [full, "short"]));
      for (const [what, other] of [
        ["too long", long],
        ["much too long", full + "😀".repeat(20_000)],
        ["with NUL", "short\0"],
        ["with half a character", "short\ud83d"],
      ] as const) {
        await ask(`equality, ${what}`, { [text]: other }, []);
        await ask(`in, ${what}`, { [text]: { in: [other] } }, []);
        await ask(`in, ${what}, beside others`, { [text]: { in: [other, "short", `${other} too`] } }, ["short"]);
        await ask(`prefix, ${what}`, { [text]: { prefix: other } }, []);
        await ask(`contains, ${what}`, { [text]: { contains: other } }, []);
      }
      // It has its place in the order all the same.
      await ask("lt", { [text]: { lt: long } }, [full, "short"]);
      await ask("lte", { [text]: { lte: long } }, [full, "short"]);
      await ask("gt", { [text]: { gt: long } }, []);
      await ask("gte", { [text]: { gte: long } }, []);

      const fullKey = token(lengthOf(s, key));
      await s.put(s.row({ [key]: fullKey }));
      equal("rows by a key of full length", await s.count({ [key]: fullKey }), 1);
      for (const other of [`${fullKey}k`, fullKey + "k".repeat(20_000)]) {
        equal("rows by a key that is longer", await s.count({ [key]: other }), 0);
        equal("update by it answers", Number(await s.collection.update(s.where({ [key]: other }), { set: { [text]: "x" } })), 0);
        equal("delete by it answers", Number(await s.collection.delete(s.where({ [key]: other }))), 0);
      }
    },
  ),
];

/** The greatest length of a field, in characters. */
function lengthOf({ description }: Subject, name: string): number {
  const field = description.fields[name];
  return field?.type === "string" ? field.length : 0;
}
