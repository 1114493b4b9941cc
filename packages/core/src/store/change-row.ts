import { PosternError } from "../errors.ts";
import type { AnyRow, Change, Collection, Match } from "./contract.ts";

/** How often a change is tried against changes that others make meanwhile. */
const tries = 5;

/** A row that counts its changes, so that a write can say which state it is a change of. */
export type CountedRow = AnyRow & { readonly revision: number };

/** What became of a change. */
export type RowChange<Row> =
  /** The row as this change left it. */
  | { readonly outcome: "changed"; readonly row: Row }
  /** There was nothing to change, and nothing was written. */
  | { readonly outcome: "unchanged"; readonly row: Row }
  /** No row matches, or none does any more. */
  | { readonly outcome: "absent" }
  /** Others came first each time, and nothing was written: the row as it was last seen. */
  | { readonly outcome: "outrun"; readonly row: Row };

/**
 * Changes one row by compare-and-swap on its `revision`: of parallel changes each is made to the row that the one before left, or not at all.
 *
 * @param where names one row, by its key, and says what must hold of it when it is changed.
 * @param change gives the fields to set, or undefined to leave the row as it is. Asked again, with the row read anew, where another change came first.
 * @param known the row, where the caller has just read it: spares the first read.
 */
export async function changeRow<Row extends CountedRow>(
  collection: Pick<Collection<Row>, "find" | "update">,
  where: Match<Row>,
  change: (row: Row) => Partial<Row> | undefined | Promise<Partial<Row> | undefined>,
  known?: Row,
): Promise<RowChange<Row>> {
  const read = async (): Promise<Row | undefined> => (await collection.find({ where, limit: 1 }))[0];
  let row = known ?? (await read());
  for (let attempt = 0; attempt < tries && row !== undefined; attempt++) {
    const set = await change(row);
    if (set === undefined) return { outcome: "unchanged", row };
    const { revision } = row;
    // The caller's own condition and change, each with the revision beside it.
    const guard = { ...where, revision } as Match<Row>;
    if ((await collection.update(guard, { set, add: { revision: 1 } } as Change<Row>)) === 1) {
      return { outcome: "changed", row: { ...row, ...set, revision: revision + 1 } };
    }
    row = await read();
  }
  return row === undefined ? { outcome: "absent" } : { outcome: "outrun", row };
}

/**
 * The row after a change that has to come about.
 * @param noun what the row is of, for people: "client".
 * @param absent what is thrown where there is no such row.
 * @throws {PosternError} `conflict` where others came first each time.
 */
export function requireRow<Row>(change: RowChange<Row>, noun: string, absent: () => Error): Row {
  if (change.outcome === "absent") throw absent();
  if (change.outcome === "outrun") throw lostRace(noun);
  return change.row;
}

/** Others keep changing a row: the caller may try again. */
export function lostRace(noun: string): PosternError {
  return new PosternError("conflict", `others keep changing this ${noun}; try again`);
}
