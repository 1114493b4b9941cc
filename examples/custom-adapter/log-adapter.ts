import {
  compareScalars,
  ConflictError,
  defineAdapter,
  matches,
  matchesFilter,
  storedKey,
  storedUnique,
  type AnyRow,
  type Collection,
  type CollectionDescription,
  type DataAdapter,
  type Filter,
  type Find,
  type Match,
} from "@postern/core/adapter";
import { LogStore, type Entry } from "./log-store.ts";

/** Stores Postern's data in a {@link LogStore}: one process, one file, no database. */
export async function logAdapter(path: string): Promise<DataAdapter> {
  const store = await LogStore.open(path);
  return defineAdapter((description) => logCollection(store, description), { close: () => store.close() });
}

function logCollection(store: LogStore, description: CollectionDescription): Collection {
  const key = storedKey(description);
  const unique = storedUnique(description);

  // Each tenant has one bucket for its rows, and one bucket for each unique key. A global collection has one set of
  // buckets. Some global collections have a field tenant_id, which does not select a bucket.
  const scopeOf = (row: object): unknown => (description.scope === "tenant" ? Reflect.get(row, "tenant_id") : null);
  const bucketOf = (scope: unknown, index = "rows"): string => JSON.stringify([description.name, index, scope]);
  const nameOf = (fields: readonly string[], row: object): string => JSON.stringify(fields.map((field) => Reflect.get(row, field)));

  /**
   * Returns the entries of a row: the row under its primary key, and an empty entry under each unique key without null
   * fields.
   */
  const entriesOf = (row: AnyRow): Entry[] => [
    [bucketOf(scopeOf(row)), nameOf(key, row), JSON.stringify(row)],
    ...unique
      .filter((fields) => fields.every((field) => row[field] !== null))
      .map((fields): Entry => [bucketOf(scopeOf(row), fields.join()), nameOf(fields, row), ""]),
  ];

  /**
   * Returns the matching rows. A condition on the complete key reads one row, a condition on the tenant reads the
   * tenant's rows, and any other condition reads all rows.
   */
  const select = (where: Match<AnyRow>, filter?: Filter): AnyRow[] => {
    const scope = scopeOf(where);
    const isOneScope = scope === null || typeof scope === "string";
    const rowsPrefix = JSON.stringify([description.name, "rows"]).slice(0, -1);
    const buckets = isOneScope ? [bucketOf(scope)] : store.bucketNames().filter((name) => name.startsWith(rowsPrefix));
    const hasKey = key.every((field) => typeof where[field] === "string");
    const texts = buckets.map(store.bucket).flatMap((bucket) => (hasKey ? [bucket.get(nameOf(key, where))] : [...bucket.values()]));
    return texts
      .flatMap((text): AnyRow[] => (text === undefined ? [] : [JSON.parse(text)]))
      .filter((row) => matches(row, where) && (filter === undefined || matchesFilter(row, filter)));
  };

  /**
   * Replaces rows with others. Returns the number of replaced rows, or undefined if a new row has the same key as a row
   * that is not replaced. The store executes the check and the write as one step, which is sufficient to prevent races.
   */
  const replace = async (decide: () => { before: readonly AnyRow[]; after: readonly AnyRow[] }): Promise<number | undefined> => {
    let count: number | undefined;
    await store.write(() => {
      const { before, after } = decide();
      const removed = before.flatMap(entriesOf).map(([bucket, name]): Entry => [bucket, name]);
      const added = after.flatMap(entriesOf);
      const locationOf = ([bucket, name]: Entry): string => `${bucket}${name}`;
      const freed = new Set(removed.map(locationOf));
      const isTaken = (entry: Entry): boolean => store.bucket(entry[0]).has(entry[1]) && !freed.has(locationOf(entry));
      if (new Set(added.map(locationOf)).size < added.length || added.some(isTaken)) return [];
      count = before.length;
      return [...removed, ...added];
    });
    return count;
  };

  return {
    filters: true,
    insert: async (rows) => (await replace(() => ({ before: [], after: rows }))) !== undefined,
    find: async (query) => page(select(query.where, query.filter), query),
    count: async (where, filter) => select(where, filter).length,
    update: async (where, { set = {}, add = {} }) => {
      const sums = (row: AnyRow): AnyRow => Object.fromEntries(Object.entries(add).map(([field, n]) => [field, Number(row[field]) + n]));
      const count = await replace(() => {
        const before = select(where);
        return { before, after: before.map((row) => ({ ...row, ...set, ...sums(row) })) };
      });
      if (count === undefined) throw new ConflictError(`a unique key of ${description.name} already exists`);
      return count;
    },
    delete: async (where) => (await replace(() => ({ before: select(where), after: [] }))) ?? 0,
  };
}

/** Sorts the rows and returns the requested page. */
function page(rows: AnyRow[], { orderBy, after, offset = 0, limit }: Find<AnyRow>): AnyRow[] {
  if (orderBy === undefined) return rows.slice(0, limit);
  const { fields, direction } = orderBy;
  const compare = (a: readonly unknown[], b: readonly unknown[]): number =>
    (direction === "asc" ? 1 : -1) * (a.map((x, i) => compareScalars(scalar(x), scalar(b[i]))).find((difference) => difference !== 0) ?? 0);
  const valuesOf = (row: AnyRow): unknown[] => fields.map((field) => row[field]);
  rows.sort((a, b) => compare(valuesOf(a), valuesOf(b)));
  const rest = after === undefined ? rows : rows.filter((row) => compare(valuesOf(row), after) > 0);
  return rest.slice(offset, offset + limit);
}

/** Returns a comparable value. Fields that rows are sorted by are never null: they are text, numbers or booleans. */
const scalar = (value: unknown): string | number => (typeof value === "string" ? value : Number(value));
