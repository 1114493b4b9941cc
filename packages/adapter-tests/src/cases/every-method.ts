import type { AnyRow, Condition, Scalar, Value } from "@postern/core/adapter";
import { assume, equal, inOneOrder, isSame } from "../failure.ts";
import type { Subject } from "../subject.ts";
import { everyRowChanged, everyRowRemoved } from "./update.ts";

/** Asks a question; `expected` is what the field under test holds in the rows that answer it. */
export type Ask = (
  what: string,
  conditions: { readonly [field: string]: Condition<Scalar | null> },
  expected: readonly Value[],
) => Promise<void>;

/**
 * Stores copies of rows, and gives a way to ask questions about them of all methods that take a condition: find, count, update and delete.
 * In most adapters these are four pieces of code, and each can be wrong alone.
 */
export async function askEveryMethod(s: Subject, field: string, rows: readonly AnyRow[]): Promise<Ask> {
  const all = inOneOrder(rows.map((row) => row[field]));
  const read = await s.copy(rows);
  return async (what, conditions, expected) => {
    const wanted = inOneOrder(expected);
    equal(`${what}: rows that find gives`, await read.values(field, conditions), wanted);
    equal(`${what}: count answers`, await read.count(conditions), wanted.length);

    // Writes get rows of their own, so that the next question finds these as they are; where nothing is reached, these will do.
    const other = expected.length === 0 ? read : await s.copy(rows);
    const mark = other.mark([field, ...Object.keys(conditions)]);
    if (mark !== undefined) {
      const answer = Number(await other.collection.update(other.where(conditions), { set: mark }));
      const changed = inOneOrder((await other.find()).filter(has(mark)).map((row) => row[field]));
      if (!isSame(changed, wanted)) assume(await updateReachesAll(await s.copy(rows), mark), everyRowChanged);
      equal(`${what}: rows that update changed`, changed, wanted);
      equal(`${what}: update answers`, answer, wanted.length);
    }
    const answer = Number(await other.collection.delete(other.where(conditions)));
    const [left, rest] = [await other.values(field), without(all, wanted)];
    if (!isSame(left, rest)) assume(await deleteReachesAll(await s.copy(rows)), everyRowRemoved);
    equal(`${what}: rows that delete left`, left, rest);
    equal(`${what}: delete answers`, answer, wanted.length);
  };
}

const has =
  (mark: AnyRow) =>
  (row: AnyRow): boolean =>
    Object.entries(mark).every(([name, value]) => row[name] === value);

/** Whether writes reach all rows where nothing more is asked: else it cannot be judged how they read conditions. */
async function updateReachesAll(s: Subject, mark: AnyRow): Promise<boolean> {
  await s.collection.update(s.where(), { set: mark });
  return (await s.find()).every(has(mark));
}

async function deleteReachesAll(s: Subject): Promise<boolean> {
  await s.collection.delete(s.where());
  return (await s.count()) === 0;
}

/** Stores each value by an insert and by an update, and looks at what came of it. */
export async function keepsEach(s: Subject, field: string, values: readonly Value[]): Promise<void> {
  const inserted = s.rows(field, values);
  const blank = values.map(() => s.row());
  await s.put(...inserted, ...blank);
  for (const row of inserted) equal(`${field}, as it was inserted`, (await s.stored(row))?.[field], row[field]);
  for (const [i, row] of blank.entries()) {
    const value = values[i] ?? null;
    await s.collection.update(s.key(row), { set: { [field]: value } });
    equal(`${field}, as an update set it`, (await s.stored(row))?.[field], value);
  }
}

/** The list without these members, each as often as it is among them. */
function without(list: readonly unknown[], members: readonly unknown[]): unknown[] {
  const rest = [...list];
  for (const member of members) rest.splice(rest.indexOf(member), 1);
  return rest;
}
