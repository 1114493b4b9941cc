import { findByIds, readAllByIds } from "../../store/by-ids.ts";
import { isConflict } from "../../store/conflicts.ts";
import type { AnyRow, Collection, FieldName, Match } from "../../store/contract.ts";
import { readAll } from "../../store/read-all.ts";

/** What a record has that may be a copy. */
type Copyable = AnyRow & { readonly id: string; readonly origin: string | null; readonly revision: number };

/** What became of one kind of copies in one tenant. */
export interface Copied {
  /** The copies that were there, by what they are copies of: all, and equal, where nothing is to be looked at again. */
  readonly copies: ReadonlyMap<string, { readonly id: string }>;
  /** Whether anything was written, or somebody else was writing: then it is to be looked at again. */
  readonly again: boolean;
  /** Names (of APIs, identifiers) that no copy has, because a record of the tenant's own has them. */
  readonly leftOut: readonly string[];
}

/** A tenant's copies, by what they are copies of. */
export async function readCopies<Row extends Copyable>(collection: Collection<Row>): Promise<ReadonlyMap<string, Row>> {
  const rows = await readAll(collection, ["id"], origins());
  return new Map(rows.map((row) => [row.origin ?? "", row]));
}

/** Copies of a kind that is not shared: they stay as they were left. */
export async function currentCopies<Row extends Copyable>(collection: Collection<Row>): Promise<Copied> {
  return { copies: await readCopies(collection), again: false, leftOut: [] };
}

/** Copies whose removal a lost process began. */
export function readCopiesBeingDeleted<Row extends Copyable>(collection: Collection<Row>): Promise<readonly Row[]> {
  return readAll(collection, ["id"], { ...origins<Row>(), deleting_at: { exists: true } } as Match<Row>);
}

/** Which of these names the tenant's own records have. One that is being removed has its name to the end. */
export async function ownNames<Row extends Copyable>(
  collection: Collection<Row>,
  field: FieldName<Row>,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await Promise.all([
    findByIds(collection, field, names),
    readAllByIds(collection, ["id"], field, names, { deleting_at: { exists: true } } as Match<Row>),
  ]);
  return new Set(rows.flat().flatMap((row) => (row.origin === null ? [String(row[field])] : [])));
}

/** Changes a copy as it was read. @returns false where somebody else came first, or the name is taken. */
export async function changeCopy<Row extends Copyable>(
  collection: Collection<Row>,
  { id, revision }: Pick<Row, "id" | "revision">,
  set: Partial<Row>,
): Promise<boolean> {
  // A copy by its key and the revision that was read, whatever else its rows have.
  const where = { id, revision } as unknown as Match<Row>;
  const change = { set, add: { revision: 1 } } as unknown as Parameters<Collection<Row>["update"]>[1];
  const changed = await collection.update(where, change).catch((error: unknown) => {
    if (isConflict(error)) return 0;
    throw error;
  });
  return changed === 1;
}

const origins = <Row>(): Match<Row> => ({ origin: { exists: true } }) as Match<Row>;
