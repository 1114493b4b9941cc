import { storedKey, storedUnique, type AnyRow, type CollectionDescription, type Match, type Value } from "@postern/core/adapter";
import { altered, everyRow, keyOf, roundTrip, type Alter, type Broken } from "./broken.ts";
import { careless, isList } from "./reads.ts";
import { eachValue } from "./ways.ts";

// These updates and deletes reach the right rows but change them in a wrong way.

/** Returns one text for each key (or unique key), with the row's values in that key. */
const placesOf = (row: AnyRow, keys: readonly (readonly string[])[]): string[] =>
  keys
    .filter((fields) => fields.every((field) => row[field] !== null))
    .map((fields) => JSON.stringify(fields.map((field) => [field, row[field]])));

/** Returns an adapter in which keys that a write frees stay in use. */
const taken =
  (by: "update" | "delete", keysOf: (description: CollectionDescription) => readonly (readonly string[])[]): Alter =>
  (inner, description) => {
    const keys = keysOf(description);
    const ghosts = new Set<string>();
    const isTaken = (row: AnyRow): boolean => placesOf(row, keys).some((place) => ghosts.has(place));
    return {
      insert: async (rows) => !rows.some(isTaken) && inner.insert(rows),
      update: async (where, change) => {
        const before = by === "update" ? await everyRow(inner, description, where) : [];
        const count = await inner.update(where, change);
        for (const row of before) {
          const places = new Set(placesOf({ ...row, ...change.set }, keys));
          for (const place of placesOf(row, keys)) if (!places.has(place)) ghosts.add(place);
        }
        return count;
      },
      delete: async (where) => {
        const before = by === "delete" ? await everyRow(inner, description, where) : [];
        const count = await inner.delete(where);
        for (const place of before.flatMap((row) => placesOf(row, keys))) ghosts.add(place);
        return count;
      },
    };
  };

/** Reads the rows, changes them and writes them back, which restores rows that were deleted in between. */
const upserting: Alter = (inner, description) => ({
  update: async (where, change) => {
    const before = await everyRow(inner, description, where);
    await roundTrip();
    const count = await inner.update(where, change);
    if (count < before.length) for (const row of before) await inner.insert([{ ...row, ...change.set }]);
    return count;
  },
});

/** Writes back each row as a whole, as it was read, with the change applied. */
const writingBack: Alter = (inner, description) => ({
  update: async (where, { set = {}, add = {} }) => {
    const [row, ...others] = await everyRow(inner, description, where);
    await roundTrip();
    if (row === undefined || others.length > 0) return inner.update(where, { set, add });
    const keep = Object.entries(row).filter(([field]) => !storedKey(description).includes(field) && !Object.hasOwn(add, field));
    return inner.update(where, { set: { ...Object.fromEntries(keep), ...set }, add });
  },
});

/** Adds to the first row and writes the sum to all rows. */
const oneSum: Alter = (inner, description) => ({
  update: async (where, { set = {}, add = {} }) => {
    const [first, ...others] = await everyRow(inner, description, where);
    if (first === undefined || others.length === 0) return inner.update(where, { set, add });
    return inner.update(where, { set: { ...set, ...eachValue(add, (n, field) => Number(first[field]) + Number(n)) } });
  },
});

/** Adds only to the first row, but returns the number of all rows. */
const firstSum: Alter = (inner, description) => ({
  update: async (where, { set, add }) => {
    const [first, ...others] = await everyRow(inner, description, where);
    if (first === undefined || others.length === 0 || add === undefined)
      return inner.update(where, { ...(set && { set }), ...(add && { add }) });
    await inner.update({ ...where, ...keyOf(description, first) }, { add });
    return set === undefined ? others.length + 1 : inner.update(where, { set });
  },
});

/** Sets other values than the change contains. */
export const setting =
  (change: (value: Value, field: string) => Value): Alter =>
  (inner) => ({ update: (where, { set = {}, ...rest }) => inner.update(where, { ...rest, set: eachValue(set, change) }) });

const ofText = (change: (text: string) => string): Alter => setting((value) => (typeof value === "string" ? change(value) : value));

/** Changes at most `most` rows, which it reads first. */
const upTo =
  (most: number, method: "update" | "delete"): Alter =>
  (inner, description) => {
    const reached = async (where: Match<AnyRow>, write: (part: Match<AnyRow>) => Promise<number>): Promise<number> => {
      const rows = await everyRow(inner, description, where);
      if (rows.length <= most) return write(where);
      let count = 0;
      for (const row of rows.slice(0, most)) count += await write({ ...where, ...keyOf(description, row) });
      return count;
    };
    return method === "update"
      ? { update: (where, change) => reached(where, (part) => inner.update(part, change)) }
      : { delete: (where) => reached(where, (part) => inner.delete(part)) };
  };

export const brokenChanges: readonly Broken[] = [
  {
    defect: "a soft delete that does not free the key",
    fails: ["delete: frees the keys of the deleted rows"],
    adapter: () => altered(taken("delete", (description) => [storedKey(description)])),
  },
  {
    defect: "a delete that does not free a unique value",
    fails: ["delete: frees the keys of the deleted rows"],
    adapter: () => altered(taken("delete", storedUnique)),
  },
  {
    defect: "an update that does not free the previous unique value",
    fails: ["update: frees the unique value that it replaces"],
    adapter: () => altered(taken("update", storedUnique)),
  },
  {
    defect: "a concurrent update that restores a deleted row",
    fails: ["race: an update does not restore a deleted row"],
    adapter: () => altered(upserting),
  },
  {
    defect: "an update that writes back the whole row",
    fails: ["race: updates of different fields are all preserved"],
    adapter: () => altered(writingBack),
  },
  { defect: "one sum for all rows", fails: ["update: adds to each matching row separately"], adapter: () => altered(oneSum) },
  { defect: "an addition to the first row", fails: ["update: adds to each matching row separately"], adapter: () => altered(firstSum) },
  ...[100, 1000].flatMap((most) =>
    (["update", "delete"] as const).map((method): Broken => ({
      defect: `at most ${most} rows in ${method}`,
      fails: ["limit: applies no hidden limit"],
      adapter: () => altered(upTo(most, method)),
    })),
  ),
  {
    defect: "a count that stops at 1,000",
    fails: ["limit: applies no hidden limit"],
    adapter: () => altered((inner) => ({ count: async (where, filter) => Math.min(1000, await inner.count(where, filter)) })),
  },
  {
    defect: "any boolean set to true",
    fails: ["values: booleans are true and false"],
    adapter: () => altered(setting((value) => (typeof value === "boolean" ? true : value))),
  },
  {
    defect: "integers set with 52 bits",
    fails: ["values: stores integers up to 2^53 - 1 and negative ones"],
    adapter: () => altered(setting((value) => (typeof value === "number" && Math.abs(value) > 2 ** 52 ? value - (value % 2) : value))),
  },
  {
    defect: "characters of four bytes replaced by an update",
    fails: ["text: is stored unchanged"],
    adapter: () => altered(ofText((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "\ufffd"))),
  },
  { defect: "text trimmed by an update", fails: ["text: is stored unchanged"], adapter: () => altered(ofText((text) => text.trim())) },
  {
    defect: "'' set as null",
    fails: ["values: null is not ''"],
    adapter: () =>
      altered((inner, description) =>
        setting((value, field) => (value === "" && description.fields[field]?.nullable ? null : value))(inner, description),
      ),
  },
  {
    defect: "objects set member by member",
    fails: ["values: __proto__ and constructor are ordinary names in objects"],
    adapter: () => altered(setting(careless)),
  },
  {
    defect: "lists set as sets",
    fails: ["values: lists of strings preserve order, duplicates and ''"],
    adapter: () => altered(setting((value) => (isList(value) ? [...new Set(value)].toSorted() : value))),
  },
];
