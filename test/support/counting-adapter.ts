import type { Collection, Collections, DataAdapter } from "@postern/core/adapter";

/** The statements of one request. */
interface QueryCost {
  /** Each statement as `collection.method`, in the order of the calls. */
  readonly statements: readonly string[];
  /**
   * Sequential round trips: the number of times that the request waited for the store. Parallel statements share one.
   */
  readonly roundTrips: number;
}

/** A {@link DataAdapter} that counts statements. */
export interface CountingAdapter extends DataAdapter {
  /** Runs a function and returns its cost. Only one at a time: every statement until it resolves is counted. */
  costOf(run: () => Promise<unknown>): Promise<QueryCost>;
}

/**
 * Counts the statements of any adapter.
 *
 * Statements are held back until the program has nothing left to do but wait for them, and then run together. All
 * statements called by then can run in parallel and count as one round trip. A statement that needs one of their
 * results counts as the next.
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
    // Each entry keeps its name, and therefore the type of its rows.
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
