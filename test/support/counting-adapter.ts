import type { Collection, Collections, DataAdapter } from "@postern/core/adapter";

/** The statements of one request. */
interface QueryCost {
  /** Each statement as `collection.method`, in the order of the calls. */
  readonly statements: readonly string[];
  /**
   * The number of sequential round trips: how often the request waited for the store. Parallel statements share one
   * round trip.
   */
  readonly roundTrips: number;
}

/** A {@link DataAdapter} that counts statements. */
export interface CountingAdapter extends DataAdapter {
  /**
   * Runs a function and returns its cost. Run only one function at a time, because every statement until its promise
   * resolves is counted.
   */
  costOf(run: () => Promise<unknown>): Promise<QueryCost>;
}

/**
 * Wraps an adapter so that it counts its statements.
 *
 * The wrapper holds statements back until the program can only wait for them, and then runs them together. All
 * statements that were called by then can run in parallel and count as one round trip. A statement that needs one of
 * their results is part of the next round trip.
 */
export function countingAdapter(inner: DataAdapter): CountingAdapter {
  const statements: string[] = [];
  let roundTrips = 0;
  let departure: Promise<void> | undefined;

  const depart = (): Promise<void> => {
    if (departure !== undefined) return departure;
    roundTrips++;
    departure = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      departure = undefined;
    });
    return departure;
  };

  const counted = (name: string, collection: Collection): Collection => {
    const request = async <T>(method: string, run: () => Promise<T>): Promise<T> => {
      statements.push(`${name}.${method}`);
      await depart();
      return run();
    };
    return {
      ...(collection.filters !== undefined && { filters: collection.filters }),
      insert: (rows) => request("insert", () => collection.insert(rows)),
      find: (query) => request("find", () => collection.find(query)),
      count: (where, filter) => request("count", () => collection.count(where, filter)),
      update: (where, change) => request("update", () => collection.update(where, change)),
      delete: (where) => request("delete", () => collection.delete(where)),
    };
  };

  const countedAll = (collections: Collections): Collections => {
    const all: [string, Collection][] = Object.entries(collections as unknown as { readonly [name: string]: Collection });
    // Each collection keeps its name, and therefore the type of its rows.
    return Object.fromEntries(all.map(([name, each]) => [name, counted(name, each)])) as unknown as Collections;
  };

  const { transaction } = inner;
  return {
    ...inner,
    collections: countedAll(inner.collections),
    ...(transaction && { transaction: (run) => transaction((tx) => run(countedAll(tx))) }),
    async costOf(run) {
      statements.length = 0;
      roundTrips = 0;
      await run();
      return { statements: [...statements], roundTrips: roundTrips };
    },
  };
}
