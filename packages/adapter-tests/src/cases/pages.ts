import type { AnyRow, Order } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { assume, CaseFailure, equal, equalInAnyOrder, isSame } from "../failure.ts";
import { freshKeys, token } from "../rows.ts";
import type { Subject } from "../subject.ts";
import { codePoints } from "./text.ts";

/** Reads page after page, each from the last row of the one before, until one is empty. */
async function walk(
  s: Subject,
  order: Order<AnyRow>,
  size: number,
  afterPage: (last: AnyRow) => Promise<void> = async () => {},
): Promise<AnyRow[]> {
  const seen: AnyRow[] = [];
  for (let page = await s.find({}, { orderBy: order, limit: size }); page.length > 0;) {
    seen.push(...page);
    if (seen.length > 1000) throw new CaseFailure("a walk does not end");
    const last = page.at(-1);
    if (last === undefined) break;
    await afterPage(last);
    page = await s.find({}, { orderBy: order, limit: size, after: s.cursor(last, order) });
  }
  return seen;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

export const limits = "limit: no more rows than asked";
export const offsets = "offset: skips as many rows";

export const pageCases = [
  define("order: ascending and descending", "The newest first, or the oldest.", ["sortInstant"], async (s) => {
    const { sortInstant: field } = s.fields;
    await s.put(...s.rows(field, [3, 1, 2]));
    equal("ascending", await s.values(field, {}, { orderBy: s.order(field, "asc") }), [1, 2, 3]);
    equal("descending", await s.values(field, {}, { orderBy: s.order(field, "desc") }), [3, 2, 1]);
  }),

  define("order: numbers go by size", "9 comes before 10, and -10 before -9.", ["sortInstant"], async (s) => {
    const { sortInstant: field } = s.fields;
    const ordered = [-(2 ** 40), -10, -9, 0, 9, 10, 100, 2 ** 40];
    await s.put(...s.rows(field, ordered.toReversed()));
    equal("in order", await s.values(field, {}, { orderBy: s.order(field) }), ordered);
  }),

  define(
    "order: equal values are ordered by the key, in the same direction",
    "Without a last word of the key, two pages show a row twice and another never.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      const key = s.description.key.at(-1) ?? "";
      const base = token(8);
      const names = ["a", "b", "c", "d", "e"].map((letter) => `${base}${letter}`);
      for (const name of ["c", "a", "e", "b", "d"]) await s.put(s.row({ [field]: 1, [key]: `${base}${name}` }));
      equal("ascending", await s.values(key, {}, { orderBy: s.order(field, "asc") }), names);
      equal("descending", await s.values(key, {}, { orderBy: s.order(field, "desc") }), names.toReversed());
    },
  ),

  define(
    "fields: those that are asked for come back, whatever else decides about the row",
    "Who is blocked is read with three fields of thirty. Rows that are cut down before they are tested and ordered are tested on nothing.",
    ["sortInstant", "text", "boolean", "object"],
    async (s) => {
      const { sortInstant, text, boolean, object } = s.fields;
      const rows = [3, 1, 2].map((n) => s.row({ [sortInstant]: n, [text]: "wanted", [boolean]: n !== 2, [object]: { n } }));
      await s.put(...rows, s.row({ [sortInstant]: 4, [text]: "other" }));
      const question = {
        fields: [boolean, object],
        orderBy: s.order(sortInstant),
        limit: 2,
        after: s.cursor(rows[1], s.order(sortInstant)),
      };
      const found = await s.find({ [text]: "wanted" }, question);
      // An adapter may give more than that.
      equal(
        "the fields of a page",
        found.map((row) => ({ [boolean]: row[boolean], [object]: row[object] })),
        [rows[2], rows[0]].map((row) => ({ [boolean]: row?.[boolean], [object]: row?.[object] })),
      );
      equal("one field", (await s.find({ [sortInstant]: 1 }, { fields: [text] }))[0]?.[text], "wanted");
      equal("every field, asked for afterwards", await s.find({ [sortInstant]: 1 }), [rows[1]]);
    },
  ),

  define(limits, "A list of 100,000 users must not be read into memory for a page of ten.", ["sortInstant"], async (s) => {
    const { sortInstant: field } = s.fields;
    await s.put(...s.rows(field, numbers(5)));
    const orderBy = s.order(field);
    equal("limit 2", await s.values(field, {}, { orderBy, limit: 2 }), [1, 2]);
    equal(
      "limit 2 after the second row",
      await s.values(field, {}, { orderBy, limit: 2, after: s.cursor((await s.find({}, { orderBy }))[1], orderBy) }),
      [3, 4],
    );
    equal("limit 1 without an order", (await s.find({}, { limit: 1 })).length, 1);
    equal("a limit of more than there is", (await s.find({}, { limit: 1000 })).length, 5);
  }),

  define(
    "limit: nothing is cut off below it, nor where there is none",
    "A hidden limit loses rows without a word: members, tokens to revoke, keys to publish.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      const row = s.row();
      for (const size of [250, 250, 250, 251])
        await s.put(...Array.from({ length: size }, () => ({ ...row, ...freshKeys(s.description) })));
      equal("rows found with limit 1000", (await s.find()).length, 1000);
      equal("count of 1,001 rows", await s.count(), 1001);
      equal("update of 1,001 rows answers", Number(await s.collection.update(s.where(), { set: { [text]: "changed" } })), 1001);
      equal("count of the rows that it changed", await s.count({ [text]: "changed" }), 1001);
      equal("delete of 1,001 rows answers", Number(await s.collection.delete(s.where())), 1001);
      equal("rows that are left", await s.count(), 0);
    },
  ),

  define(offsets, "Page numbers.", ["sortInstant"], async (s) => {
    const { sortInstant: field } = s.fields;
    await s.put(...s.rows(field, numbers(5)));
    equal("offset 3", await s.values(field, {}, { orderBy: s.order(field), offset: 3 }), [4, 5]);
    equal("offset 3, descending", await s.values(field, {}, { orderBy: s.order(field, "desc"), offset: 3 }), [2, 1]);
    equal("offset 0", await s.values(field, {}, { orderBy: s.order(field), offset: 0 }), [1, 2, 3, 4, 5]);
    equal("offset beyond the end", await s.values(field, {}, { orderBy: s.order(field), offset: 9 }), []);
  }),

  define(
    "cursor: a walk meets every row once, in both directions",
    "Exports and audit readers walk whole collections.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      await s.put(...s.rows(field, numbers(10)));
      for (const direction of ["asc", "desc"] as const) {
        const expected = direction === "asc" ? numbers(10) : numbers(10).toReversed();
        equal(
          direction,
          (await walk(s, s.order(field, direction), 3)).map((row) => row[field]),
          expected,
        );
      }
    },
  ),

  define(
    "cursor: a walk over text meets every row once",
    "The comparison of the cursor and the order of the page must be one collation.",
    ["sortText"],
    async (s) => {
      const { sortText: field } = s.fields;
      const ordered = ["", " ", "_", "a", "a ", "a%", "z", "é", "漢", "\uffee", "😀", "😀😀"];
      await s.put(...s.rows(field, ordered));
      assume(isSame(await s.values(field, {}, { orderBy: s.order(field) }), ordered), codePoints);
      for (const [direction, size] of [
        ["asc", 1],
        ["desc", 5],
      ] as const) {
        const seen = await walk(s, s.order(field, direction), size);
        equalInAnyOrder(
          `the walk, ${direction}`,
          seen.map((row) => row[field]),
          ordered,
        );
      }
    },
  ),

  define(
    "cursor: compares all fields of the order",
    "Rows of one millisecond, imported or logged together, are skipped or repeated where only the first field is compared.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      await s.put(...s.rows(field, [1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3]));
      const key = s.description.key.at(-1) ?? "";
      for (const direction of ["asc", "desc"] as const) {
        const orderBy = s.order(field, direction);
        const expected = (await s.find({}, { orderBy })).map((row) => row[key]);
        equal(
          `twelve rows of three instants, ${direction}`,
          (await walk(s, orderBy, 5)).map((row) => row[key]),
          expected,
        );
      }
    },
  ),

  define(
    "cursor: compares composite keys field by field",
    "Memberships and permissions have no id of their own.",
    ["compositeKey"],
    async (s) => {
      const fields = s.description.key;
      const [pinned = "", second = "", third = ""] = fields;
      const owner = token(20);
      const rows = ["a", "b", "c"].flatMap((x) => ["a", "b", "c"].map((y) => s.row({ [pinned]: owner, [second]: x, [third]: y })));
      await s.put(...rows.toReversed());
      const where = { ...(s.description.scope === "tenant" && { tenant_id: s.tenant }), [pinned]: owner };
      for (const direction of ["asc", "desc"] as const) {
        const orderBy = { fields, direction };
        const expected = direction === "asc" ? rows : rows.toReversed();
        for (const [i, row] of expected.entries()) {
          const [next] = await s.collection.find({ where, orderBy, after: s.cursor(row, orderBy), limit: 1 });
          equal(`the row after ${JSON.stringify(s.cursor(row, orderBy))}, ${direction}`, next, expected[i + 1]);
        }
      }
    },
  ),

  define(
    "cursor: rows added meanwhile neither repeat nor hide others",
    "People sign up while an export runs; pages by offset shift under the reader.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      const first = [10, 20, 30, 40, 50, 60, 70];
      await s.put(...s.rows(field, first));
      let round = 0;
      const seen = await walk(s, s.order(field, "desc"), 2, async () => {
        round += 1;
        // One before everything seen, one behind what is still to come.
        if (round < 4) await s.put(s.row({ [field]: 100 + round }), s.row({ [field]: 4 - round }));
      });
      equal(
        "the walk",
        seen.map((row) => row[field]),
        [70, 60, 50, 40, 30, 20, 10, 3, 2, 1],
      );
    },
  ),

  define(
    "cursor: goes on after its row was removed",
    "A page's last user is deleted before the next page is asked for.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      await s.put(...s.rows(field, numbers(6)));
      const seen = await walk(s, s.order(field), 2, async (last) => {
        await s.collection.delete(s.key(last));
      });
      equal(
        "the walk",
        seen.map((row) => row[field]),
        numbers(6),
      );
    },
  ),
];
