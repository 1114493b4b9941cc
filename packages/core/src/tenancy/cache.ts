import { LRUCache } from "lru-cache";
import type { Clock } from "../adapters/clock.ts";
import type { CollectionName } from "../data/schema.ts";

/** Milliseconds for which another process's change may go unseen. */
const lifetime = 5000;

/**
 * The one cache of settings: tenants, clients, grants, connections, APIs, keys. Users, sessions and tokens are never in it.
 *
 * Entries live for five seconds. A write through this instance drops what was loaded from the collection, also loads that are in flight.
 * What is not there is not remembered, so that guessing names cannot fill it.
 */
export interface Cache {
  /** The cached value for `key`, or what `load` gives. Parallel callers share one load. */
  get<T extends object>(
    tenantId: string,
    collection: CollectionName,
    key: string,
    load: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /** Drops everything of a tenant that was loaded from a collection. */
  invalidate(tenantId: string, collection: CollectionName): void;
}

interface Entry {
  readonly value: Promise<object | undefined>;
  readonly loadedAt: number;
  readonly generation: number;
}

/** Makes a {@link Cache} of at most 10,000 entries. */
export function createCache(clock: Clock): Cache {
  const entries = new LRUCache<string, Entry>({ max: 10_000 });
  // The number of the last write to a collection of a tenant. An entry counts only while no later write is known.
  const generations = new LRUCache<string, number>({ max: 10_000 });
  let writes = 0;

  return {
    async get<T extends object>(tenantId: string, collection: CollectionName, key: string, load: () => Promise<T | undefined>) {
      const scope = `${tenantId}/${collection}`;
      const name = `${scope}/${key}`;
      const generation = generations.get(scope) ?? 0;
      const known = entries.get(name);
      if (known !== undefined && known.generation === generation && clock.now() - known.loadedAt < lifetime) {
        // Every caller of one collection and key loads the same type: the key names what is loaded.
        return known.value as Promise<T | undefined>;
      }
      const entry = { value: load(), loadedAt: clock.now(), generation };
      entries.set(name, entry);
      const forget = (): void => {
        if (entries.peek(name) === entry) entries.delete(name);
      };
      try {
        const value = await entry.value;
        if (value === undefined) forget();
        return value;
      } catch (error) {
        forget();
        throw error;
      }
    },
    invalidate(tenantId, collection) {
      generations.set(`${tenantId}/${collection}`, ++writes);
    },
  };
}
