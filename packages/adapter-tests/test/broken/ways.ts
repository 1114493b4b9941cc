import {
  ConflictError,
  defineAdapter,
  isConflict,
  matchesFilter,
  type AnyRow,
  type Condition,
  type DataAdapter,
  type Filter,
  type Scalar,
  type Value,
} from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { untyped } from "../../src/subject.ts";
import { roundTrip, memoryTransaction, type Alter } from "./broken.ts";
import { asking, withWhere } from "./reads.ts";

// Defects from which basics.ts creates adapters.

export const eachValue = (row: AnyRow, change: (value: Value, field: string) => Value): AnyRow =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [field, change(value, field)]));

/** Stores other values than it received. */
export const storing =
  (change: (value: Value, field: string) => Value): Alter =>
  (inner) => ({
    insert: (rows) => inner.insert(rows.map((row) => eachValue(row, change))),
  });

/** Returns other values than it stored. */
export const reading = (change: (value: Value, field: string) => Value): Alter =>
  asking(async (query, inner) => (await inner.find(query)).map((row) => eachValue(row, change)));

/** Replaces conditions, field by field. */
export const asksFor = (change: (condition: Condition<Scalar | null>) => Condition<Scalar | null>): Alter =>
  withWhere((where) => Object.fromEntries(Object.entries(where).map(([field, condition]) => [field, change(condition)])));

/** Sorts the rows with a custom comparison. */
export const sorting = (compare: (a: AnyRow, b: AnyRow, fields: readonly string[], sign: number) => number): Alter =>
  asking(async ({ orderBy, ...query }, inner) => {
    const { after: _, offset: __, ...all } = query;
    const rows = await inner.find({ ...all, limit: 1000 });
    if (orderBy === undefined) return rows.slice(0, query.limit);
    return rows.toSorted((a, b) => compare(a, b, orderBy.fields, orderBy.direction === "asc" ? 1 : -1)).slice(0, query.limit);
  });

export const toText = (value: Value | undefined): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));
export const order = <V extends string | number>(a: V, b: V): number => (a < b ? -1 : a > b ? 1 : 0);
export const isOperators = (condition: Condition<Scalar | null>): condition is object & Condition<Scalar | null> =>
  typeof condition === "object" && condition !== null;

export const unlimited = (alter: (rows: AnyRow[], after: readonly Scalar[], fields: readonly string[]) => AnyRow[]): Alter =>
  asking(async ({ after, ...query }, inner) => {
    if (after === undefined || query.orderBy === undefined) return inner.find(query);
    return alter(await inner.find({ ...query, limit: 1000 }), after, query.orderBy.fields).slice(0, query.limit);
  });

/** Counts the rows that it returned in a sequence of pages, and uses the count as the cursor. */
export const pageNumbers: Alter = (inner) => {
  const served = new Map<string, number>();
  return {
    find: async ({ after, ...query }) => {
      if (query.orderBy === undefined) return inner.find(query);
      const walk = JSON.stringify([query.where, query.orderBy]);
      const offset = after === undefined ? (query.offset ?? 0) : (served.get(walk) ?? 0);
      const rows = await inner.find({ ...query, offset });
      served.set(walk, offset + rows.length);
      return rows;
    },
  };
};

/** Has four connections, and an update that holds one connection and waits for a second one. */
export const greedy = (): Alter => {
  let free = 4;
  const waiting: (() => void)[] = [];
  const connection = async <T>(work: () => Promise<T>): Promise<T> => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    const result = await work();
    const next = waiting.shift();
    if (next) next();
    else free += 1;
    return result;
  };
  return (inner) => ({
    update: (where, change) =>
      connection(async () => {
        await roundTrip();
        return connection(() => inner.update(where, change));
      }),
  });
};

export const lookThenRename: Alter = (inner) => ({
  update: async (where, change) => {
    const { tenant_id } = where;
    const names = Object.entries(change.set ?? {}).map(([field, value]) => ({ [field]: toText(value) }));
    if (tenant_id !== undefined && names[0] && (await inner.count({ tenant_id, ...names[0] })) > 0)
      throw new ConflictError("the key is in use");
    await roundTrip();
    return inner.update(where, change).catch((error: unknown) => {
      if (isConflict(error)) return 1;
      throw error;
    });
  },
});

export const countThenDelete: Alter = (inner) => ({
  delete: async (where) => {
    const count = await inner.count(where);
    await roundTrip();
    await inner.delete(where);
    return count;
  },
});

export const withTransactions = (change: (memory: DataAdapter) => DataAdapter["collections"], inside: Alter = () => ({})): DataAdapter => {
  const memory = createMemoryAdapter();
  return defineAdapter((description) => untyped(memory.collections, description.name), {
    transaction: (run) =>
      memoryTransaction(memory)(async (tx) => {
        const collections = change({ ...memory, collections: tx });
        return run((description) => {
          const one = untyped(collections, description.name);
          return { ...one, ...inside(one, description) };
        });
      }),
  });
};

export const deMorgan = (row: AnyRow, filter: Filter): boolean => {
  if ("not" in filter && "or" in filter.not) return filter.not.or.some((part) => !deMorgan(row, part));
  if ("and" in filter) return filter.and.every((part) => deMorgan(row, part));
  if ("or" in filter) return filter.or.some((part) => deMorgan(row, part));
  return "not" in filter ? !deMorgan(row, filter.not) : matchesFilter(row, filter);
};

export const lower = (value: Value): Value => JSON.parse(JSON.stringify(value).toLowerCase());
