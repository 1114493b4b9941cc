import { PosternError } from "../errors.ts";
import { findOne } from "./find-one.ts";
import type { AnyRow, Change, Collection, Match } from "./contract.ts";

/** Maximum number of attempts when concurrent changes conflict. */
const tries = 5;

/** A row with a counter of its changes, for compare-and-swap updates. */
export type CountedRow = AnyRow & { readonly revision: number };

/** The outcome of a call to {@link changeRow}. */
export type RowChange<Row> =
  /** The row was changed. `row` is the row after the change. */
  | { readonly outcome: "changed"; readonly row: Row }
  /** `change` returned undefined, and nothing was written. */
  | { readonly outcome: "unchanged"; readonly row: Row }
  /** No row matches, or the row stopped matching before the write. */
  | { readonly outcome: "absent" }
  /** Each attempt lost a race to another change, and nothing was written. `row` is the row as it was last read. */
  | { readonly outcome: "lost-race"; readonly row: Row };

/**
 * Changes one row by compare-and-swap on its `revision`. If several calls run in parallel, each change applies to the
 * result of an earlier change, or is not written.
 *
 * @param where identifies one row by its key. May also contain conditions that must hold when the row is written.
 * @param change returns the fields to set, or undefined to leave the row unchanged. After a lost race it is called
 * again with the current row.
 * @param known the row, if the caller has just read it. Saves the first read.
 */
export async function changeRow<Row extends CountedRow>(
  collection: Pick<Collection<Row>, "find" | "update">,
  where: Match<Row>,
  change: (row: Row) => Partial<Row> | undefined | Promise<Partial<Row> | undefined>,
  known?: Row,
): Promise<RowChange<Row>> {
  const read = async (): Promise<Row | undefined> => findOne<Row>(collection, where);
  let row = known ?? (await read());
  for (let attempt = 0; attempt < tries && row !== undefined; attempt++) {
    const set = await change(row);
    if (set === undefined) return { outcome: "unchanged", row };
    const { revision } = row;
    // The caller's condition and change, with the revision added to both.
    const guard = { ...where, revision } as Match<Row>;
    if ((await collection.update(guard, { set, add: { revision: 1 } } as Change<Row>)) === 1) {
      return { outcome: "changed", row: { ...row, ...set, revision: revision + 1 } };
    }
    row = await read();
  }
  return row === undefined ? { outcome: "absent" } : { outcome: "lost-race", row };
}

/**
 * Returns the row of a change that must succeed.
 * @param noun names the kind of row in the error message: "client".
 * @param absent creates the error to throw if no row matches.
 * @throws {PosternError} `conflict` if every attempt lost a race.
 */
export function requireRow<Row>(change: RowChange<Row>, noun: string, absent: () => Error): Row {
  if (change.outcome === "absent") throw absent();
  if (change.outcome === "lost-race") throw lostRace(noun);
  return change.row;
}

/** Creates the error for a row that concurrent requests keep changing. The caller may retry. */
export function lostRace(noun: string): PosternError {
  return new PosternError("conflict", `concurrent requests keep changing this ${noun}; try again`);
}
