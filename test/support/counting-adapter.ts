import type { Collection, Collections, DataAdapter } from "@postern/core/adapter";

/** What one request asked of the data store. */
export interface QueryCost {
  /** Each statement as `collection.method`, in the order they were asked. */
  readonly statements: readonly string[];
  /** Sequential legs: how often the request had to wait for the store. Statements asked side by side share one. */
  readonly roundTrips: number;
}

/** A {@link DataAdapter} that counts. */
export interface CountingAdapter extends DataAdapter {
  /** Runs something and tells what it cost. One at a time: the count is of everything that happens meanwhile. */
  costOf(run: () => Promise<unknown>): Promise<QueryCost>;
}

/**
 * Puts a count in front of any adapter.
 *
 * Statements are held back until the program has nothing left to do but wait for them, and are then let go together: whatever was
 * asked by that time could go out side by side and makes one leg, whatever needs one of their answers makes the next.
 */
export function countingAdapter(inner: DataAdapter): CountingAdapter {
  const statements: string[] = [];
  let legs = 0;
  let departure: Promise<void> | undefined;

  const depart = (): Promise<void> => {
    if (departure !== undefined) return departure;
    legs++;
    departure = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      departure = undefined;
    });
    return departure;
  };

  const counted = (name: string, collection: Collection): Collection => {
    const ask = async <T>(method: string, run: () => Promise<T>): Promise<T> => {
      statements.push(`${name}.${method}`);
      await depart();
      return run();
    };
    return {
      ...(collection.filters !== undefined && { filters: collection.filters }),
      insert: (rows) => ask("insert", () => collection.insert(rows)),
      find: (query) => ask("find", () => collection.find(query)),
      count: (where, filter) => ask("count", () => collection.count(where, filter)),
      update: (where, change) => ask("update", () => collection.update(where, change)),
      delete: (where) => ask("delete", () => collection.delete(where)),
    };
  };

  const countedAll = (collections: Collections): Collections => {
    const all: [string, Collection][] = Object.entries(collections as unknown as { readonly [name: string]: Collection });
    // Each entry keeps its name, and with it the type of its rows.
    return Object.fromEntries(all.map(([name, each]) => [name, counted(name, each)])) as unknown as Collections;
  };

  const { transaction } = inner;
  return {
    ...inner,
    collections: countedAll(inner.collections),
    ...(transaction && { transaction: (run) => transaction((tx) => run(countedAll(tx))) }),
    async costOf(run) {
      statements.length = 0;
      legs = 0;
      await run();
      return { statements: [...statements], roundTrips: legs };
    },
  };
}
