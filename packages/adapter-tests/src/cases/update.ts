import { isConflict } from "@postern/core/adapter";
import { define } from "../definition.ts";
import { assume, equal, rejects } from "../failure.ts";

export const throwsConflict = "update: throws ConflictError if a unique key is in use";
export const everyRowChanged = "update: changes every matching row and no other";
export const everyRowRemoved = "delete: deletes every matching row and no other";

export const updateCases = [
  define(everyRowChanged, "Revoking a family of tokens must update each of them.", ["text", "integer"], async (s) => {
    const { text, integer } = s.fields;
    await s.put(...s.rows(text, ["a", "a", "a", "b"]));
    await s.collection.update(s.where({ [text]: "a" }), { set: { [integer]: 7 } });
    equal("rows that were changed", await s.values(text, { [integer]: 7 }), ["a", "a", "a"]);
    equal("rows that were not changed", await s.values(text, { [integer]: 0 }), ["b"]);
  }),

  define(
    "update: counts the rows that match, changed or not",
    "For the caller, 0 means a lost race. Stores that count changed rows return 0 if the new value equals the old one.",
    ["text"],
    async (s) => {
      const { text } = s.fields;
      await s.put(...s.rows(text, ["a", "a", "b"]));
      const matched = await s.collection.update(s.where({ [text]: "a" }), { set: { [text]: "c" } });
      assume((await s.count({ [text]: "c" })) === 2, everyRowChanged);
      equal("result of an update to other values", Number(matched), 2);
      equal(
        "result of an update to the same values",
        Number(await s.collection.update(s.where({ [text]: "c" }), { set: { [text]: "c" } })),
        2,
      );
      equal(
        "result of an update without a matching row",
        Number(await s.collection.update(s.where({ [text]: "none" }), { set: { [text]: "c" } })),
        0,
      );
    },
  ),

  define(
    throwsConflict,
    "If a caller changes a name to one that is in use, the response must be 409, not 500 or a success without effect.",
    ["unique"],
    async (s) => {
      const stored = s.row();
      const other = { ...s.rival(stored), [s.fields.unique]: "other" };
      await s.put(stored);
      await s.put(other);
      const take = () => s.collection.update(s.key(other), { set: { [s.fields.unique]: stored[s.fields.unique] ?? null } });
      await rejects("update to a used unique key", take, isConflict);
    },
  ),

  define(
    "update: changes nothing if a unique key is in use",
    "A partial change is neither the old state nor the new one.",
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
      equal("the first row after an update of both to the same unique key", await s.stored(one), { ...one, [text]: "kept" });
      equal("the second row", await s.stored(two), { ...two, [text]: "kept" });
    },
  ),

  define(
    "update: frees the unique value that it replaces",
    "An email address that an account no longer uses must be available to other accounts.",
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
      equal("the value, set by another row's update", (await s.stored(second))?.[unique], "one");
      await s.collection.update(s.key(second), { set: { [unique]: "two" } });
      await s.put(third);
      equal("the value, set by a new row", await s.stored(third), third);
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

  define(
    "update: adds positive and negative numbers to integers",
    "Wrong attempts and linked accounts are counted up and down.",
    ["integer"],
    async (s) => {
      const { integer } = s.fields;
      const row = s.row({ [integer]: 5 });
      await s.put(row);
      for (const amount of [3, -10, 9_007_199_254_740_000, -9_007_199_254_740_000])
        await s.collection.update(s.key(row), { add: { [integer]: amount } });
      equal("5 + 3 - 10, with a large number added and subtracted", (await s.stored(row))?.[integer], -2);
    },
  ),

  define(
    "update: adds to each matching row separately",
    "Each row has a different count. If all rows get the same sum, the sum is right for at most one of them.",
    ["integer", "text"],
    async (s) => {
      const { integer, text } = s.fields;
      await s.put(...[1, 20, 300].map((n) => s.row({ [integer]: n, [text]: "a" })), s.row({ [integer]: 4000, [text]: "b" }));
      await s.collection.update(s.where({ [text]: "a" }), { add: { [integer]: 5 } });
      equal("1, 20 and 300, with 5 added", await s.values(integer, { [text]: "a" }), [25, 305, 6]);
      equal("4000, of a row that does not match", await s.values(integer, { [text]: "b" }), [4000]);
    },
  ),

  define(
    "update: sets and adds in one call",
    "A wrong attempt is counted and dated in one call. With two calls, a crash could leave a count without its date.",
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
    "update: replaces an object or list as a whole",
    "Core has already merged the object, so a member that is missing in the new object must be removed.",
    ["object"],
    async (s) => {
      const { object } = s.fields;
      const row = s.row({ [object]: { kept: 1, removed: { deep: true } } });
      await s.put(row);
      await s.collection.update(s.key(row), { set: { [object]: { kept: 2 } } });
      equal("the object", (await s.stored(row))?.[object], { kept: 2 });
    },
  ),

  define(everyRowRemoved, "If a user's rows remain, data leaks. If others are deleted, data is lost.", ["text"], async (s) => {
    const { text } = s.fields;
    await s.put(...s.rows(text, ["a", "a", "a", "b"]));
    equal("result of a delete", Number(await s.collection.delete(s.where({ [text]: "a" }))), 3);
    equal("remaining rows", await s.values(text), ["b"]);
    equal("result of a delete without a matching row", Number(await s.collection.delete(s.where({ [text]: "a" }))), 0);
  }),

  define(
    "delete: frees the keys of the deleted rows",
    "A deleted user may sign up again with the same email address or id. Deletes that only mark a row often prevent that.",
    ["unique"],
    async (s) => {
      const row = s.row();
      await s.put(row);
      for (const heir of [s.twin(row), s.rival(row)]) {
        await s.collection.delete(s.where());
        await s.put(heir);
        equal("a new row with a key of the deleted one", await s.find(), [heir]);
      }
    },
  ),

  define("count: counts the matching rows", "Totals of lists and limits depend on it.", ["text"], async (s) => {
    const { text } = s.fields;
    await s.put(...s.rows(text, ["a", "a", "b"]));
    equal("all", await s.count(), 3);
    equal("some", await s.count({ [text]: "a" }), 2);
    equal("none", await s.count({ [text]: "c" }), 0);
  }),

  define(
    "counts: are numbers",
    "Drivers return 64-bit counts as text or bigint. '1' === 1 is false, so the winner of a race would count as a loser.",
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
