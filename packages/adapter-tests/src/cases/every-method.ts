import type { AnyRow, Condition, Scalar, Value } from "@postern/core/adapter";
import { assume, equal, inOneOrder, isSame } from "../failure.ts";
import type { TestedCollection } from "../subject.ts";
import { everyRowChanged, everyRowRemoved } from "./update.ts";

/** Checks a condition. `expected` contains the values of the tested field in the rows that must match. */
type CheckCondition = (
  what: string,
  conditions: { readonly [field: string]: Condition<Scalar | null> },
  expected: readonly Value[],
) => Promise<void>;

/**
 * Stores copies of rows, and returns a function that checks a condition on them with every method that takes a
 * condition: find, count, update and delete. Most adapters implement conditions separately in each method, and each
 * implementation can be wrong.
 */
export async function checkEveryMethod(s: TestedCollection, field: string, rows: readonly AnyRow[]): Promise<CheckCondition> {
  const all = inOneOrder(rows.map((row) => row[field]));
  const read = await s.copy(rows);
  return async (what, conditions, expected) => {
    const wanted = inOneOrder(expected);
    equal(`${what}: rows that find returns`, await read.values(field, conditions), wanted);
    equal(`${what}: result of count`, await read.count(conditions), wanted.length);

    // Updates and deletes use separate copies, so that the rows are unchanged when the next condition is checked. If no
    // row should match, the same rows can be used.
    const other = expected.length === 0 ? read : await s.copy(rows);
    const mark = other.mark([field, ...Object.keys(conditions)]);
    if (mark !== undefined) {
      const matched = Number(await other.collection.update(other.where(conditions), { set: mark }));
      const changed = inOneOrder((await other.find()).filter(has(mark)).map((row) => row[field]));
      if (!isSame(changed, wanted)) assume(await updateReachesAll(await s.copy(rows), mark), everyRowChanged);
      equal(`${what}: rows that update changed`, changed, wanted);
      equal(`${what}: result of update`, matched, wanted.length);
    }
    const matched = Number(await other.collection.delete(other.where(conditions)));
    const [left, rest] = [await other.values(field), without(all, wanted)];
    if (!isSame(left, rest)) assume(await deleteReachesAll(await s.copy(rows)), everyRowRemoved);
    equal(`${what}: rows that remain after delete`, left, rest);
    equal(`${what}: result of delete`, matched, wanted.length);
  };
}

const has =
  (mark: AnyRow) =>
  (row: AnyRow): boolean =>
    Object.entries(mark).every(([name, value]) => row[name] === value);

/**
 * Whether updates reach all rows if there are no further conditions. If not, the conditions of writes cannot be
 * checked.
 */
async function updateReachesAll(s: TestedCollection, mark: AnyRow): Promise<boolean> {
  await s.collection.update(s.where(), { set: mark });
  return (await s.find()).every(has(mark));
}

async function deleteReachesAll(s: TestedCollection): Promise<boolean> {
  await s.collection.delete(s.where());
  return (await s.count()) === 0;
}

/** Stores each value, once with an insert and once with an update, and checks the stored value. */
export async function storesEach(s: TestedCollection, field: string, values: readonly Value[]): Promise<void> {
  const inserted = s.rows(field, values);
  const blank = values.map(() => s.row());
  await s.put(...inserted, ...blank);
  for (const row of inserted) equal(`${field}after an insert`, (await s.stored(row))?.[field], row[field]);
  for (const [i, row] of blank.entries()) {
    const value = values[i] ?? null;
    await s.collection.update(s.key(row), { set: { [field]: value } });
    equal(`${field}after an update`, (await s.stored(row))?.[field], value);
  }
}

/** Returns a copy of the list from which each given element was removed once. */
function without(list: readonly unknown[], members: readonly unknown[]): unknown[] {
  const rest = [...list];
  for (const member of members) rest.splice(rest.indexOf(member), 1);
  return rest;
}
