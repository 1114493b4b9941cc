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

/** Postern's data in a {@link LogStore}: one process, one file, no database. */
export async function logAdapter(path: string): Promise<DataAdapter> {
  const store = await LogStore.open(path);
  return defineAdapter((description) => logCollection(store, description), { close: () => store.close() });
}

function logCollection(store: LogStore, description: CollectionDescription): Collection {
  const key = storedKey(description);
  const unique = storedUnique(description);

  // A bucket for each tenant's rows, and one for each of its unique keys. A global collection has one of each (some have a tenant_id, as data).
  const scopeOf = (row: object): unknown => (description.scope === "tenant" ? Reflect.get(row, "tenant_id") : null);
  const bucketOf = (scope: unknown, index = "rows"): string => JSON.stringify([description.name, index, scope]);
  const nameOf = (fields: readonly string[], row: object): string => JSON.stringify(fields.map((field) => Reflect.get(row, field)));

  /** What stands in the store for a row: the row under its key, and a mark under each unique key that has no null in it. */
  const entriesOf = (row: AnyRow): Entry[] => [
    [bucketOf(scopeOf(row)), nameOf(key, row), JSON.stringify(row)],
    ...unique
      .filter((fields) => fields.every((field) => row[field] !== null))
      .map((fields): Entry => [bucketOf(scopeOf(row), fields.join()), nameOf(fields, row), ""]),
  ];

  /** The rows that match. A condition on the whole key reads one row, one on the tenant reads the tenant's, and any other reads all. */
  const select = (where: Match<AnyRow>, filter?: Filter): AnyRow[] => {
    const scope = scopeOf(where);
    const isOneScope = scope === null || typeof scope === "string";
    const ofRows = JSON.stringify([description.name, "rows"]).slice(0, -1);
    const buckets = isOneScope ? [bucketOf(scope)] : store.bucketNames().filter((name) => name.startsWith(ofRows));
    const hasKey = key.every((field) => typeof where[field] === "string");
    const texts = buckets.map(store.bucket).flatMap((bucket) => (hasKey ? [bucket.get(nameOf(key, where))] : [...bucket.values()]));
    return texts
      .flatMap((text): AnyRow[] => (text === undefined ? [] : [JSON.parse(text)]))
      .filter((row) => matches(row, where) && (filter === undefined || matchesFilter(row, filter)));
  };

  /**
   * Puts rows in the place of others, and answers how many those were; undefined where a key is taken that none of them gives back.
   * The look and the write are one step for the store: that alone makes races come out right.
   */
  const replace = async (decide: () => { before: readonly AnyRow[]; after: readonly AnyRow[] }): Promise<number | undefined> => {
    let count: number | undefined;
    await store.write(() => {
      const { before, after } = decide();
      const removed = before.flatMap(entriesOf).map(([bucket, name]): Entry => [bucket, name]);
      const added = after.flatMap(entriesOf);
      const addressOf = ([bucket, name]: Entry): string => `${bucket}${name}`;
      const given = new Set(removed.map(addressOf));
      const isTaken = (entry: Entry): boolean => store.bucket(entry[0]).has(entry[1]) && !given.has(addressOf(entry));
      if (new Set(added.map(addressOf)).size < added.length || added.some(isTaken)) return [];
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
      if (count === undefined) throw new ConflictError(`a unique key of ${description.name} is taken`);
      return count;
    },
    delete: async (where) => (await replace(() => ({ before: select(where), after: [] }))) ?? 0,
  };
}

/** Orders the rows and cuts out what the query asks for. */
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

/** Fields of an order are never null: they are text, or numbers, or false before true. */
const scalar = (value: unknown): string | number => (typeof value === "string" ? value : Number(value));
