import { define } from "../definition.ts";
import { assume, equal } from "../failure.ts";

export const returnsFalse = "insert: returns false if a key or unique key is in use";
const leavesStored = "insert: leaves the stored row unchanged after a conflict";

export const insertCases = [
  define(
    "insert: stores many rows in one call",
    "The audit log writes the events of concurrent requests with one insert.",
    [],
    async (s) => {
      const rows = Array.from({ length: 200 }, () => s.row());
      equal("result of inserting 200 rows", await s.collection.insert(rows), true);
      for (const row of [rows[0], rows[99], rows[199]]) if (row) equal("a row of the batch", await s.stored(row), row);
    },
  ),

  define(
    returnsFalse,
    "The returned value decides races. If it is wrong, an email address gets two accounts, or a code is redeemed twice.",
    ["unique", "text"],
    async (s) => {
      const [one, two, twin] = [s.row(), s.row(), s.row()];
      equal("result of inserting unused keys", await s.collection.insert([one, two]), true);
      equal("result of inserting a used key", await s.collection.insert([s.twin(one)]), false);
      equal("result of inserting a used unique key", await s.collection.insert([s.rival(two)]), false);
      equal("result of inserting two rows with the same key", await s.collection.insert([twin, s.twin(twin)]), false);
    },
  ),

  define(leavesStored, "An insert that overwrites a row allows an account takeover.", ["unique", "text"], async (s) => {
    const { text } = s.fields;
    const stored = s.row({ [text]: "first" });
    await s.put(stored);
    await s.collection.insert([{ ...s.twin(stored), [text]: "second" }]);
    equal("the row after an insert with its key", await s.stored(stored), stored);
    await s.collection.insert([{ ...s.rival(stored), [text]: "third" }]);
    equal("the row after an insert with its unique key", await s.stored(stored), stored);
    equal("rows", await s.count(), 1);
  }),

  define(
    "insert: inserts several rows or none",
    "A batch that was inserted partially cannot be retried.",
    ["unique", "text"],
    async (s) => {
      const stored = s.row();
      await s.put(stored);
      await s.collection.insert([s.rival(stored)]);
      assume((await s.stored(stored)) !== undefined, leavesStored);

      await s.collection.insert([s.row(), s.row(), s.rival(stored)]);
      equal("rows after a batch whose last row conflicts", await s.count(), 1);
      await s.collection.insert([s.twin(stored), s.row()]);
      equal("rows after a batch whose first row conflicts", await s.count(), 1);
      const twin = s.row();
      await s.collection.insert([twin, s.row(), s.rival(twin)]);
      equal("rows after a batch that conflicts with itself", await s.count(), 1);
    },
  ),

  define(
    "insert: null in a unique key conflicts with nothing",
    "Most accounts have no phone number. If null caused a conflict, only one such account could exist.",
    ["nullableUnique"],
    async (s) => {
      const stored = s.row({ [s.fields.nullableUnique]: null });
      await s.put(stored);
      await s.put(s.rival(stored));
      await s.put(s.rival(stored), s.rival(stored));
      equal("rows that share a unique key with a null in it", await s.count(), 4);
    },
  ),
];
