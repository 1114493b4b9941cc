import type { AnyRow, Order } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { assume, CaseFailure, equal, equalInAnyOrder, isSame } from "../failure.ts";
import { freshKeys, randomToken } from "../rows.ts";
import type { TestedCollection } from "../subject.ts";
import { codePoints } from "./text.ts";

/** Reads all pages until a page is empty. Each page starts after the last row of the previous page. */
async function walk(
  s: TestedCollection,
  order: Order<AnyRow>,
  size: number,
  afterPage: (last: AnyRow) => Promise<void> = async () => {},
): Promise<AnyRow[]> {
  const seen: AnyRow[] = [];
  for (let page = await s.find({}, { orderBy: order, limit: size }); page.length > 0;) {
    seen.push(...page);
    if (seen.length > 1000) throw new CaseFailure("the pages do not end");
    const last = page.at(-1);
    if (last === undefined) break;
    await afterPage(last);
    page = await s.find({}, { orderBy: order, limit: size, after: s.cursor(last, order) });
  }
  return seen;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

export const limits = "limit: returns at most that many rows";
export const offsets = "offset: skips that many rows";

export const pageCases = [
  define("order: ascending and descending", "Lists start with the newest or with the oldest row.", ["sortInstant"], async (s) => {
    const { sortInstant: field } = s.fields;
    await s.put(...s.rows(field, [3, 1, 2]));
    equal("ascending", await s.values(field, {}, { orderBy: s.order(field, "asc") }), [1, 2, 3]);
    equal("descending", await s.values(field, {}, { orderBy: s.order(field, "desc") }), [3, 2, 1]);
  }),

  define("order: sorts numbers by value", "If numbers are sorted as text, 10 comes before 9.", ["sortInstant"], async (s) => {
    const { sortInstant: field } = s.fields;
    const ordered = [-(2 ** 40), -10, -9, 0, 9, 10, 100, 2 ** 40];
    await s.put(...s.rows(field, ordered.toReversed()));
    equal("in order", await s.values(field, {}, { orderBy: s.order(field) }), ordered);
  }),

  define(
    "order: equal values are ordered by the key, in the same direction",
    "Without the key at the end of the order, pages can repeat a row and omit another.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      const key = s.description.key.at(-1) ?? "";
      const base = randomToken(8);
      const names = ["a", "b", "c", "d", "e"].map((letter) => `${base}${letter}`);
      for (const name of ["c", "a", "e", "b", "d"]) await s.put(s.row({ [field]: 1, [key]: `${base}${name}` }));
      equal("ascending", await s.values(key, {}, { orderBy: s.order(field, "asc") }), names);
      equal("descending", await s.values(key, {}, { orderBy: s.order(field, "desc") }), names.toReversed());
    },
  ),

  define(
    "fields: returns the requested fields, even if other fields are in conditions and the order",
    "A check whether a user is blocked reads three of thirty fields. Conditions and orders must work with the other fields, too.",
    ["sortInstant", "text", "boolean", "object"],
    async (s) => {
      const { sortInstant, text, boolean, object } = s.fields;
      const rows = [3, 1, 2].map((n) => s.row({ [sortInstant]: n, [text]: "wanted", [boolean]: n !== 2, [object]: { n } }));
      await s.put(...rows, s.row({ [sortInstant]: 4, [text]: "other" }));
      const query = {
        fields: [boolean, object],
        orderBy: s.order(sortInstant),
        limit: 2,
        after: s.cursor(rows[1], s.order(sortInstant)),
      };
      const found = await s.find({ [text]: "wanted" }, query);
      // An adapter may return more fields than requested.
      equal(
        "the fields of a page",
        found.map((row) => ({ [boolean]: row[boolean], [object]: row[object] })),
        [rows[2], rows[0]].map((row) => ({ [boolean]: row?.[boolean], [object]: row?.[object] })),
      );
      equal("one field", (await s.find({ [sortInstant]: 1 }, { fields: [text] }))[0]?.[text], "wanted");
      equal("every field, in a later query", await s.find({ [sortInstant]: 1 }), [rows[1]]);
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
    equal("a limit above the number of rows", (await s.find({}, { limit: 1000 })).length, 5);
  }),

  define(
    "limit: applies no hidden limit",
    "A hidden limit silently omits rows: members, tokens to revoke, keys to publish.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      const row = s.row();
      for (const size of [250, 250, 250, 251])
        await s.put(...Array.from({ length: size }, () => ({ ...row, ...freshKeys(s.description) })));
      equal("rows found with limit 1000", (await s.find()).length, 1000);
      equal("count of 1,001 rows", await s.count(), 1001);
      equal("result of updating 1,001 rows", Number(await s.collection.update(s.where(), { set: { [text]: "changed" } })), 1001);
      equal("count of the rows that it changed", await s.count({ [text]: "changed" }), 1001);
      equal("result of deleting 1,001 rows", Number(await s.collection.delete(s.where())), 1001);
      equal("remaining rows", await s.count(), 0);
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
    "cursor: pages contain every row once, in both directions",
    "Exports and audit readers read whole collections.",
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
    "cursor: pages in text order contain every row once",
    "The comparison with the cursor and the order of the page must use the same collation.",
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
    "If only the first field is compared, rows of the same millisecond are omitted or repeated.",
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
    "Memberships and permissions have composite keys.",
    ["compositeKey"],
    async (s) => {
      const fields = s.description.key;
      const [pinned = "", second = "", third = ""] = fields;
      const owner = randomToken(20);
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
    "cursor: rows inserted between pages neither repeat nor hide others",
    "Users sign up during an export, which shifts pages by offset.",
    ["sortInstant"],
    async (s) => {
      const { sortInstant: field } = s.fields;
      const first = [10, 20, 30, 40, 50, 60, 70];
      await s.put(...s.rows(field, first));
      let round = 0;
      const seen = await walk(s, s.order(field, "desc"), 2, async () => {
        round += 1;
        // One row before all rows that were read, and one row after all rows that remain.
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
    "cursor: continues after its row was deleted",
    "The last user of a page may be deleted before the next page is requested.",
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
