import {
  compareScalars,
  ConflictError,
  matches,
  matchesFilter,
  type AnyRow,
  type Change,
  type Collection,
  type CollectionDescription,
  type Filter,
  type Find,
  type Match,
  type Order,
} from "@postern/core/adapter";
import { checkIndexed } from "./indexed.ts";
import type { Table } from "./table.ts";

/** Controls how calls access the data, outside or inside of a transaction. */
export interface CollectionAccess {
  /** Runs the work as soon as it may access the data. The work is synchronous, which makes each call atomic. */
  run<T>(work: () => T): Promise<T>;
  /** Called after each write with a function that reverts the write. */
  onWrite(revert: () => void): void;
}

/** Creates a collection whose five methods work on a {@link Table}. */
export function memoryCollection(description: CollectionDescription, table: Table, access: CollectionAccess, strict: boolean): Collection {
  const select = (where: Match<AnyRow>, filter?: Filter, order?: Order<AnyRow>): AnyRow[] => {
    if (strict) checkIndexed(description, where, order);
    return table.candidates(where).filter((row) => matches(row, where) && (filter === undefined || matchesFilter(row, filter)));
  };

  const replace = (before: readonly AnyRow[], after: readonly AnyRow[]): boolean => {
    const replaced = table.replace(before, after);
    if (replaced) access.onWrite(() => table.replace(after, before));
    return replaced;
  };

  return {
    filters: true,
    insert: (rows) => access.run(() => replace([], rows.map(frozenCopy))),
    find: (query) => access.run(() => selectFields(query.fields, page(select(query.where, query.filter, query.orderBy), query))),
    count: (where, filter) => access.run(() => select(where, filter).length),
    update: (where, { set = {}, add = {} }) =>
      access.run(() => {
        const rows = select(where);
        const changed = rows.map((row) => frozenCopy({ ...row, ...set, ...sums(row, add) }));
        if (!replace(rows, changed)) throw new ConflictError(`a unique key of ${description.name} is already in use`);
        return rows.length;
      }),
    delete: (where) =>
      access.run(() => {
        const rows = select(where);
        replace(rows, []);
        return rows.length;
      }),
  };
}

type Counters = NonNullable<Change<AnyRow>["add"]>;

/** Returns the new values of the fields that a change adds to. */
function sums(row: AnyRow, add: Counters): AnyRow {
  return Object.fromEntries(Object.entries(add).map(([field, amount]) => [field, Number(row[field]) + amount]));
}

/** Sorts the rows and returns the page that the query requests. */
function page(rows: AnyRow[], { orderBy, after, offset = 0, limit }: Find<AnyRow>): AnyRow[] {
  if (orderBy === undefined) return rows.slice(0, limit);
  const { fields, direction } = orderBy;
  const sign = direction === "asc" ? 1 : -1;
  const valuesOf = (row: AnyRow): unknown[] => fields.map((field) => row[field]);
  const sorted = rows.sort((a, b) => sign * compareLists(valuesOf(a), valuesOf(b)));
  const rest = after === undefined ? sorted : sorted.filter((row) => sign * compareLists(valuesOf(row), after) > 0);
  return rest.slice(offset, offset + limit);
}

/** Reduces each row to the requested fields. */
function selectFields(fields: readonly string[] | undefined, rows: AnyRow[]): AnyRow[] {
  if (fields === undefined) return rows;
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field))));
}

/** Compares two lists value by value. The first difference determines the result. */
function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, x] of a.entries()) {
    const y = b[i];
    const difference = isScalar(x) && isScalar(y) ? compareScalars(x, y) : 0;
    if (difference !== 0) return difference;
  }
  return 0;
}

const isScalar = (value: unknown): value is string | number | boolean => value !== null && typeof value !== "object" && value !== undefined;

/** Returns a deeply frozen copy. Callers cannot change it, so the stored row can be returned without another copy. */
function frozenCopy(row: AnyRow): AnyRow {
  return deepFreeze(structuredClone(row));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const member of Object.values(Object.freeze(value))) deepFreeze(member);
  }
  return value;
}
