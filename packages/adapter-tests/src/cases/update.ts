import { isConflict } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { assume, equal, rejects } from "../failure.ts";

export const throwsConflict = "update: throws ConflictError when a unique key is taken";
export const everyRowChanged = "update: changes every row that matches, and no other";
export const everyRowRemoved = "delete: removes every row that matches, and no other";

export const updateCases = [
  define(everyRowChanged, "Revoking a family of tokens must reach each of them.", ["text", "integer"], async (s) => {
    const { text, integer } = s.fields;
    await s.put(...s.rows(text, ["a", "a", "a", "b"]));
    await s.collection.update(s.where({ [text]: "a" }), { set: { [integer]: 7 } });
    equal("rows that were changed", await s.values(text, { [integer]: 7 }), ["a", "a", "a"]);
    equal("rows that were not", await s.values(text, { [integer]: 0 }), ["b"]);
  }),

  define(
    "update: counts the rows that matched, changed or not",
    "The caller takes 0 for 'somebody else was first'. Stores that count changed rows say 0 when the new value is the old one.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      await s.put(...s.rows(text, ["a", "a", "b"]));
      const answer = await s.collection.update(s.where({ [text]: "a" }), { set: { [text]: "c" } });
      assume((await s.count({ [text]: "c" })) === 2, everyRowChanged);
      equal("update to other values answers", Number(answer), 2);
      equal("update to the same values answers", Number(await s.collection.update(s.where({ [text]: "c" }), { set: { [text]: "c" } })), 2);
      equal("update of nothing answers", Number(await s.collection.update(s.where({ [text]: "none" }), { set: { [text]: "c" } })), 0);
    },
  ),

  define(throwsConflict, "A rename to a taken name must be a 409, and never a 500 or a silent nothing.", ["unique"], async (s) => {
    const stored = s.row();
    const other = { ...s.rival(stored), [s.fields.unique]: "other" };
    await s.put(stored);
    await s.put(other);
    const take = () => s.collection.update(s.key(other), { set: { [s.fields.unique]: stored[s.fields.unique] ?? null } });
    await rejects("update to a taken unique key", take, isConflict);
  }),

  define(
    "update: changes nothing when a unique key is taken",
    "Half of a refused change is neither the old state nor the new.",
    ["unique", "text"],
    async (s) => {
      const { unique, text } = s.fields;
      const one = s.row({ [unique]: "one" });
      const two = { ...s.rival(one), [unique]: "two" };
      await s.put(one);
      await s.put(two);
      await s.collection.update(s.where(), { set: { [text]: "kept" } });
      assume((await s.count({ [text]: "kept" })) === 2, everyRowChanged);
      await s.collection.update(s.where(), { set: { [unique]: "both", [text]: "changed" } }).catch(() => {});
      equal("the first row after an update that would give both one unique key", await s.stored(one), { ...one, [text]: "kept" });
      equal("the second row", await s.stored(two), { ...two, [text]: "kept" });
    },
  ),

  define(
    "update: gives up the unique value that it changes",
    "An address that its owner has left is free for its next owner; kept taken, nobody can ever have it.",
    ["unique"],
    async (s) => {
      const { unique } = s.fields;
      const row = s.row({ [unique]: "one" });
      const second = { ...s.rival(row), [unique]: "two" };
      const third = s.rival(row);
      await s.put(row);
      await s.put(second);
      await s.collection.update(s.key(row), { set: { [unique]: "none" } });
      await s.collection.update(s.key(second), { set: { [unique]: "one" } });
      equal("the value, taken by another row's update", (await s.stored(second))?.[unique], "one");
      await s.collection.update(s.key(second), { set: { [unique]: "two" } });
      await s.put(third);
      equal("the value, taken by a new row", await s.stored(third), third);
    },
  ),

  define(
    "update: a row does not conflict with itself",
    "Saving a form without changes sets the same name again.",
    ["unique", "text"],
    async (s) => {
      const row = s.row();
      await s.put(row);
      await s.collection.update(s.key(row), { set: { [s.fields.unique]: row[s.fields.unique] ?? null, [s.fields.text]: "new" } });
      equal("the row", await s.stored(row), { ...row, [s.fields.text]: "new" });
    },
  ),

  define("update: adds to integers, up and down", "Counters of wrong tries and of linked accounts.", ["integer"], async (s) => {
    const { integer } = s.fields;
    const row = s.row({ [integer]: 5 });
    await s.put(row);
    for (const amount of [3, -10, 9_007_199_254_740_000, -9_007_199_254_740_000])
      await s.collection.update(s.key(row), { add: { [integer]: amount } });
    equal("5 + 3 - 10, with a great number added and taken away", (await s.stored(row))?.[integer], -2);
  }),

  define(
    "update: adds to every row that matches",
    "Each row has a count of its own: one sum for all of them is right for one at most.",
    ["integer", "text"],
    async (s) => {
      const { integer, text } = s.fields;
      await s.put(...[1, 20, 300].map((n) => s.row({ [integer]: n, [text]: "a" })), s.row({ [integer]: 4000, [text]: "b" }));
      await s.collection.update(s.where({ [text]: "a" }), { add: { [integer]: 5 } });
      equal("1, 20 and 300, with 5 added", await s.values(integer, { [text]: "a" }), [25, 305, 6]);
      equal("4000, which is another's", await s.values(integer, { [text]: "b" }), [4000]);
    },
  ),

  define(
    "update: sets and adds in one call",
    "A wrong try is counted and dated together, or a crash separates them.",
    ["integer", "text"],
    async (s) => {
      const { integer, text } = s.fields;
      const row = s.row();
      await s.put(row);
      await s.collection.update(s.key(row), { set: { [text]: "set" }, add: { [integer]: 1 } });
      equal("the row", await s.stored(row), { ...row, [text]: "set", [integer]: 1 });
    },
  ),

  define(
    "update: replaces an object or list whole",
    "Core has merged it already: a member that it removed must be gone.",
    ["object"],
    async (s) => {
      const { object } = s.fields;
      const row = s.row({ [object]: { kept: 1, removed: { deep: true } } });
      await s.put(row);
      await s.collection.update(s.key(row), { set: { [object]: { kept: 2 } } });
      equal("the object", (await s.stored(row))?.[object], { kept: 2 });
    },
  ),

  define(everyRowRemoved, "What is left of a deleted user is a leak; what else goes is a loss.", ["text"], async (s) => {
    const { text } = s.fields;
    await s.put(...s.rows(text, ["a", "a", "a", "b"]));
    equal("delete answers", Number(await s.collection.delete(s.where({ [text]: "a" }))), 3);
    equal("rows that are left", await s.values(text), ["b"]);
    equal("delete of nothing answers", Number(await s.collection.delete(s.where({ [text]: "a" }))), 0);
  }),

  define(
    "delete: gives up the keys of what it removed",
    "A person who left may come back, under the same address or the same id. Deletes that only mark a row often forget that.",
    ["unique"],
    async (s) => {
      const row = s.row();
      await s.put(row);
      for (const heir of [s.twin(row), s.rival(row)]) {
        await s.collection.delete(s.where());
        await s.put(heir);
        equal("a new row with a key of the one that was removed", await s.find(), [heir]);
      }
    },
  ),

  define("count: counts the rows that match", "Totals of lists, and the limits that are counted.", ["text"], async (s) => {
    const { text } = s.fields;
    await s.put(...s.rows(text, ["a", "a", "b"]));
    equal("all", await s.count(), 3);
    equal("some", await s.count({ [text]: "a" }), 2);
    equal("none", await s.count({ [text]: "c" }), 0);
  }),

  define(
    "counts: are plain numbers",
    "Drivers return 64-bit counts as text or bigint; '1' === 1 is false, and the winner of a race is told that it lost.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      await s.put(...s.rows(text, ["a", "a"]));
      equal("type of a count", typeof (await s.collection.count(s.where())), "number");
      equal("type of an update's count", typeof (await s.collection.update(s.where(), { set: { [text]: "b" } })), "number");
      equal("type of a delete's count", typeof (await s.collection.delete(s.where())), "number");
    },
  ),
];
