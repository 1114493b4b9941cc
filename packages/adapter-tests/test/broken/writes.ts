import {
  ConflictError,
  isConflict,
  storedKey,
  storedUnique,
  type AnyRow,
  type CollectionDescription,
  type Match,
} from "@postern/core/adapter";
import { isSame } from "../../src/failure.ts";
import { altered, everyRow, keyOf, pick, roundTrip, type Alter, type Broken } from "./broken.ts";

const keysOf = (description: CollectionDescription) => [storedKey(description), ...storedUnique(description)];

/** Returns one condition for each key. They match the rows that a new row conflicts with. */
const conflictsOf = (description: CollectionDescription, row: AnyRow): Match<AnyRow>[] =>
  keysOf(description)
    .filter((fields) => fields.every((field) => row[field] !== null))
    .map((fields) => pick(row, fields));

const alwaysTrue: Alter = (inner) => ({
  insert: async (rows) => {
    await inner.insert(rows);
    return true;
  },
});

const partialInsert: Alter = (inner) => ({
  insert: async (rows) => {
    for (const row of rows) if (!(await inner.insert([row]))) return false;
    return true;
  },
});

const overwriting: Alter = (inner, description) => ({
  insert: async (rows) => {
    if (await inner.insert(rows)) return true;
    for (const row of rows) {
      for (const where of conflictsOf(description, row)) await inner.delete(where);
      await inner.insert([row]);
    }
    return false;
  },
});

const lookThenInsert: Alter = (inner, description) => ({
  insert: async (rows) => {
    const taken = await Promise.all(rows.flatMap((row) => conflictsOf(description, row).map((where) => inner.count(where))));
    await roundTrip();
    return !taken.some(Boolean) && ((await inner.insert(rows)) || rows.length === 1);
  },
});

/** Reads the matching rows, then writes to their keys. Other calls can write between the two steps. */
const readThenUpdate: Alter = (inner, description) => ({
  update: async (where, change) => {
    const rows = await everyRow(inner, description, where);
    await roundTrip();
    const [key = ""] = description.key;
    const [first] = rows;
    if (first === undefined) return 0;
    const scope = pick(
      first,
      storedKey(description).filter((field) => field !== key),
    );
    let count = 0;
    for (let i = 0; i < rows.length; i += 50) {
      const keys = rows.slice(i, i + 50).map((row) => String(row[key]));
      count += await inner.update({ ...scope, [key]: { in: keys } }, change);
    }
    return count;
  },
});

/** Adds in the program instead of the store. */
const readThenAdd: Alter = (inner, description) => ({
  update: async (where, { set = {}, add = {} }) => {
    if (Object.keys(add).length === 0) return inner.update(where, { set });
    const rows = await everyRow(inner, description, where);
    await roundTrip();
    let count = 0;
    for (const row of rows) {
      const sums = Object.entries(add).map(([field, amount]) => [field, Number(row[field]) + amount] as const);
      count += await inner.update({ ...where, ...keyOf(description, row) }, { set: { ...set, ...Object.fromEntries(sums) } });
    }
    return count;
  },
});

const changedCount: Alter = (inner, description) => ({
  update: async (where, change) => {
    const { set = {}, add = {} } = change;
    const rows = await everyRow(inner, description, where);
    const matched = await inner.update(where, change);
    const same = rows.filter(
      (row) => Object.entries(set).every(([field, value]) => isSame(row[field], value)) && Object.keys(add).length === 0,
    );
    return matched - same.length;
  },
});

/** Returns a condition for the first matching row, as `updateOne` or `deleteOne` would select it. */
const one = async (inner: Parameters<Alter>[0], description: CollectionDescription, where: Match<AnyRow>): Promise<Match<AnyRow>> => {
  const [row] = await inner.find({ where, limit: 1 });
  return row === undefined ? where : { ...where, ...pick(row, storedKey(description)) };
};

const rowByRow: Alter = (inner, description) => ({
  update: async (where, change) => {
    const rows = await everyRow(inner, description, where);
    if (rows.length === 1) return inner.update(where, change);
    let count = 0;
    for (const row of rows) count += await inner.update({ ...where, ...keyOf(description, row) }, change);
    return count;
  },
});

const merging: Alter = (inner) => ({
  update: async (where, { set = {}, ...rest }) => {
    const [row] = await inner.find({ where, limit: 1 });
    const merged = Object.entries(set).map(([field, value]) => {
      const before = row?.[field];
      const both = isObject(before) && isObject(value);
      return [field, both ? Object.fromEntries([...Object.entries(before), ...Object.entries(value)]) : value] as const;
    });
    return inner.update(where, { ...rest, set: Object.fromEntries(merged) });
  },
});

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null && !Array.isArray(value);

export const brokenWrites: readonly Broken[] = [
  {
    defect: "an insert that always returns true",
    fails: ["insert: returns false if a key or unique key is in use"],
    adapter: () => altered(alwaysTrue),
  },
  {
    defect: "an insert of several rows that stores those before the conflict",
    fails: ["insert: inserts several rows or none"],
    adapter: () => altered(partialInsert),
  },
  {
    defect: "an insert that overwrites existing rows",
    fails: ["insert: leaves the stored row unchanged after a conflict"],
    adapter: () => altered(overwriting),
  },
  {
    defect: "an insert that queries first",
    fails: ["race: one of 32 inserts wins"],
    adapter: () => altered(lookThenInsert),
  },
  {
    defect: "an update that reads, then writes",
    fails: ["race: one of 32 conditional updates wins"],
    adapter: () => altered(readThenUpdate),
  },
  {
    defect: "an addition that reads, then writes",
    fails: ["race: all of 32 additions count"],
    adapter: () => altered(readThenAdd),
  },
  {
    defect: "an update that counts changed rows",
    fails: ["update: counts the rows that match, changed or not"],
    adapter: () => altered(changedCount),
  },
  {
    defect: "an update of the first row that matches",
    fails: [
      "update: changes every matching row and no other",
      "update: adds to each matching row separately",
      "limit: applies no hidden limit",
    ],
    adapter: () =>
      altered((inner, description) => ({ update: async (where, change) => inner.update(await one(inner, description, where), change) })),
  },
  {
    defect: "a delete of the first row that matches",
    fails: ["delete: deletes every matching row and no other", "limit: applies no hidden limit"],
    adapter: () => altered((inner, description) => ({ delete: async (where) => inner.delete(await one(inner, description, where)) })),
  },
  {
    defect: "an update row by row that stops at a conflict",
    fails: ["update: changes nothing if a unique key is in use"],
    adapter: () => altered(rowByRow),
  },
  {
    defect: "an update that returns 0 after a conflict",
    fails: ["update: throws ConflictError if a unique key is in use"],
    adapter: () =>
      altered((inner) => ({
        update: (where, change) =>
          inner.update(where, change).catch((error: unknown) => {
            if (isConflict(error)) return 0;
            throw error;
          }),
      })),
  },
  {
    defect: "an update that lets a row conflict with itself",
    fails: ["update: a row does not conflict with itself"],
    adapter: () =>
      altered((inner, description) => ({
        update: async (where, change) => {
          const [row] = await inner.find({ where, limit: 1 });
          const unique = storedUnique(description).flat();
          const own = Object.entries(change.set ?? {}).some(([field, value]) => unique.includes(field) && value === row?.[field]);
          if (own) throw new ConflictError("the row conflicts with itself");
          return inner.update(where, change);
        },
      })),
  },
  {
    defect: "an update that adds or sets, not both",
    fails: ["update: sets and adds in one call"],
    adapter: () =>
      altered((inner) => ({ update: (where, { set, add }) => inner.update(where, set === undefined ? { add: add ?? {} } : { set }) })),
  },
  {
    defect: "an update that merges objects",
    fails: ["update: replaces an object or list as a whole"],
    adapter: () => altered(merging),
  },
  {
    defect: "counts as text, as drivers return them",
    fails: ["counts: are numbers"],
    adapter: () => altered((inner) => ({ count: async (where, filter) => asDriver(await inner.count(where, filter)) })),
  },
];

/** Returns the value that a driver returns, but with the type that its author declared. */
const asDriver = (count: number): number => JSON.parse(JSON.stringify({ count: String(count) })).count;
