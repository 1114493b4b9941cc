import { define } from "../definition.ts";
import { assume, equal } from "../failure.ts";

export const answersFalse = "insert: answers false when a key or unique key is taken";
const keepsStored = "insert: a conflict leaves the stored row as it was";

export const insertCases = [
  define(
    "insert: stores many rows in one call",
    "The audit log writes the events of all requests in flight with one insert.",
    [],
    async (s) => {
      const rows = Array.from({ length: 200 }, () => s.row());
      equal("insert of 200 rows answers", await s.collection.insert(rows), true);
      for (const row of [rows[0], rows[99], rows[199]]) if (row) equal("a row of the batch", await s.stored(row), row);
    },
  ),

  define(
    answersFalse,
    "The first writer wins by this answer: a second account for one address, one code spent twice.",
    ["unique", "text"],
    async (s) => {
      const [one, two, twin] = [s.row(), s.row(), s.row()];
      equal("an insert of free keys answers", await s.collection.insert([one, two]), true);
      equal("an insert with a taken key answers", await s.collection.insert([s.twin(one)]), false);
      equal("an insert with a taken unique key answers", await s.collection.insert([s.rival(two)]), false);
      equal("an insert of two rows with one key answers", await s.collection.insert([twin, s.twin(twin)]), false);
    },
  ),

  define(keepsStored, "An insert that overwrites lets a stranger take over an account.", ["unique", "text"], async (s) => {
    const { text } = s.fields;
    const stored = s.row({ [text]: "first" });
    await s.put(stored);
    await s.collection.insert([{ ...s.twin(stored), [text]: "second" }]);
    equal("the row after an insert with its key", await s.stored(stored), stored);
    await s.collection.insert([{ ...s.rival(stored), [text]: "third" }]);
    equal("the row after an insert with its unique key", await s.stored(stored), stored);
    equal("rows", await s.count(), 1);
  }),

  define("insert: several rows are all or nothing", "A batch of which a part stays cannot be repeated.", ["unique", "text"], async (s) => {
    const stored = s.row();
    await s.put(stored);
    await s.collection.insert([s.rival(stored)]);
    assume((await s.stored(stored)) !== undefined, keepsStored);

    await s.collection.insert([s.row(), s.row(), s.rival(stored)]);
    equal("rows after a batch whose last row conflicts", await s.count(), 1);
    await s.collection.insert([s.twin(stored), s.row()]);
    equal("rows after a batch whose first row conflicts", await s.count(), 1);
    const twin = s.row();
    await s.collection.insert([twin, s.row(), s.rival(twin)]);
    equal("rows after a batch that conflicts with itself", await s.count(), 1);
  }),

  define(
    "insert: null in a unique key conflicts with nothing",
    "Most accounts have no phone number, and only one of them could exist.",
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
