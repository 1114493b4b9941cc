import type { Collection, Collections, DataAdapter } from "@postern/core/adapter";

/** Runs in place of a write. @param name the write as `collection.method` @param run performs the write */
type AroundWrite = <T>(name: string, run: () => Promise<T>) => Promise<T>;

/** Wraps every write of an adapter. Reads pass through unchanged. */
export function aroundWrites(inner: DataAdapter, around: AroundWrite): DataAdapter {
  const wrapped = (name: string, collection: Collection): Collection => ({
    ...(collection.filters !== undefined && { filters: collection.filters }),
    insert: (rows) => around(`${name}.insert`, () => collection.insert(rows)),
    find: (query) => collection.find(query),
    count: (where, filter) => collection.count(where, filter),
    update: (where, change) => around(`${name}.update`, () => collection.update(where, change)),
    delete: (where) => around(`${name}.delete`, () => collection.delete(where)),
  });
  const all: [string, Collection][] = Object.entries(inner.collections as unknown as { readonly [name: string]: Collection });
  return {
    ...inner,
    // Each entry keeps its name, and with it the type of its rows.
    collections: Object.fromEntries(all.map(([name, each]) => [name, wrapped(name, each)])) as unknown as Collections,
  };
}

/** A point before or after one write of a sequence. Writes are counted from 1. */
export interface Moment {
  readonly write: number;
  readonly side: "before" | "after";
}

/** Returns the points before and after each of these writes. */
export function momentsOf(writes: readonly string[]): readonly (Moment & { readonly name: string })[] {
  return writes.flatMap((name, i) => (["before", "after"] as const).map((side) => ({ side, name, write: i + 1 })));
}

/**
 * Returns the points before and after each write that decides the outcome.
 * Inserts into `logs` are left out: they decide nothing, and parallel requests share one insert, so a paused insert
 * would block both requests.
 * @throws {Error} if no write is left, because a test over no points would pass.
 */
export function decisiveMomentsOf(writes: readonly string[]): ReturnType<typeof momentsOf> {
  const moments = momentsOf(writes).filter(({ name }) => name !== "logs.insert");
  if (moments.length === 0) throw new Error("none of these writes decides anything");
  return moments;
}
