import { findByIds, readAllByIds } from "../../store/by-ids.ts";
import { isConflict } from "../../store/conflicts.ts";
import type { AnyRow, Collection, FieldName, Match } from "../../store/contract.ts";
import { readAll } from "../../store/read-all.ts";

/** The fields of a row that may be a copy. */
type Copyable = AnyRow & { readonly id: string; readonly origin: string | null; readonly revision: number };

/** The result of copying one kind of resources to one tenant. */
export interface CopyResult {
  /** The existing copies, by the ids of their originals. Complete and up to date if `again` is false. */
  readonly copies: ReadonlyMap<string, { readonly id: string }>;
  /** Whether the round found something to write. If true, another round must check the result. */
  readonly again: boolean;
  /**
   * The names (for APIs, the identifiers) of resources that were not copied, because the tenant's own resources have
   * them.
   */
  readonly skippedNames: readonly string[];
}

/** Reads a tenant's copies, by the ids of their originals. */
export async function readCopies<Row extends Copyable>(collection: Collection<Row>): Promise<ReadonlyMap<string, Row>> {
  const rows = await readAll(collection, ["id"], origins());
  return new Map(rows.map((row) => [row.origin ?? "", row]));
}

/** Returns the existing copies of a kind of resources that is not shared. They stay unchanged. */
export async function currentCopies<Row extends Copyable>(collection: Collection<Row>): Promise<CopyResult> {
  return { copies: await readCopies(collection), again: false, skippedNames: [] };
}

/** Reads copies whose deletion a crashed process began. */
export function readCopiesBeingDeleted<Row extends Copyable>(collection: Collection<Row>): Promise<readonly Row[]> {
  return readAll(collection, ["id"], { ...origins<Row>(), deleting_at: { exists: true } } as Match<Row>);
}

/**
 * Returns which of the names belong to the tenant's own resources, which are not copies. A resource keeps its name
 * until its deletion is complete.
 */
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

/**
 * Updates a copy, unless its revision has changed since it was read. @returns false after a conflict, or if the name is
 * taken.
 */
export async function changeCopy<Row extends Copyable>(
  collection: Collection<Row>,
  { id, revision }: Pick<Row, "id" | "revision">,
  set: Partial<Row>,
): Promise<boolean> {
  // The key and the revision that was read. The other fields differ between row types.
  const where = { id, revision } as unknown as Match<Row>;
  const change = { set, add: { revision: 1 } } as unknown as Parameters<Collection<Row>["update"]>[1];
  const changed = await collection.update(where, change).catch((error: unknown) => {
    if (isConflict(error)) return 0;
    throw error;
  });
  return changed === 1;
}

const origins = <Row>(): Match<Row> => ({ origin: { exists: true } }) as Match<Row>;
