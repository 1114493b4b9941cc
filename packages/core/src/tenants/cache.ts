import { createElapsed, type Clock } from "../adapters/clock.ts";
import { boundedMap } from "../store/bounded-map.ts";
import { shareWork, type SharedWork } from "../telemetry/shared-work.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { estimateBytes } from "../store/estimate-bytes.ts";
import type { CollectionName } from "../store/schema.ts";

/** Lifetime of a cache entry: the maximum milliseconds until a process sees a change that another process made. */
export const cacheLifetime = 5000;

/** Maximum size of the entries of a {@link Cache} by default, in bytes. */
const defaultCacheBytes = 64 * 1024 * 1024;

/**
 * The key of a cached value within its tenant and collection: a kind, then the values that select it. Each part may be
 * any text.
 */
export type CacheKey = readonly [kind: string, ...parts: readonly string[]];

/**
 * The cache of settings: tenants, clients, grants, connections, APIs, keys. Users, sessions and tokens are never
 * cached.
 *
 * Entries live for five seconds. A write through this instance invalidates the entries of the collection, including
 * loads in progress. The absence of a row is not cached, so that guessed names cannot fill the cache.
 */
export interface Cache {
  /** The number of entries, including expired ones that were not evicted yet. */
  readonly size: number;
  /** The estimated size of all entries in bytes. */
  readonly bytes: number;
  /**
   * Returns the cached value for `key`, or the result of `load`. Parallel callers share one load. Every caller with the
   * same tenant, collection and key must load the same type.
   */
  get<T extends object>(
    tenantId: string,
    collection: CollectionName,
    key: CacheKey,
    load: () => Promise<T | undefined>,
  ): Promise<T | undefined>;
  /** Invalidates all entries for a tenant's collection. */
  invalidate(tenantId: string, collection: CollectionName): void;
  /** Calls the listener at each `invalidate`. */
  onInvalidate(listener: (tenantId: string, collection: CollectionName) => void): void;
}

interface Entry {
  readonly work: SharedWork<object | undefined>;
  /** Whether the load has not ended yet. Only telemetry needs it. */
  isLoading: boolean;
  readonly source: Source;
  /** The number of writes to the source when the load began. The entry is valid while this number is unchanged. */
  readonly writes: number;
}

/** A collection of a tenant with cached entries. */
interface Source {
  writes: number;
}

/**
 * Creates a {@link Cache} of at most 10,000 entries.
 * @param maxBytes maximum estimated size of all entries. Default {@link defaultCacheBytes}. A value that is larger than
 * a quarter of it is not cached.
 */
export function createCache(clock: Clock, maxBytes = defaultCacheBytes, telemetry?: Telemetry): Cache {
  const entries = boundedMap<Entry>({ bytes: maxBytes, expiry: { lifetime: cacheLifetime, elapsed: createElapsed(clock) } });
  const sources = boundedMap<Source>({
    onEvict(source) {
      // A later write cannot find an evicted source. So the entries that were loaded from it become invalid now.
      source.writes++;
    },
  });
  const listeners: ((tenantId: string, collection: CollectionName) => void)[] = [];
  const sourceOf = (name: string): Source => {
    let source = sources.get(name);
    if (source === undefined) sources.set(name, (source = { writes: 0 }));
    return source;
  };

  const loadEntry = async <T extends object>(
    { name, collection, source }: { readonly name: string; readonly collection: CollectionName; readonly source: Source },
    load: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const { writes } = source;
    const work = shareWork(telemetry, `load ${collection}`, load);
    const entry: Entry = { work, isLoading: true, source, writes };
    entries.set(name, entry);
    const isCurrent = (): boolean => entries.peek(name) === entry;
    try {
      const value = await work.result;
      if (isCurrent()) {
        const bytes = value === undefined ? 0 : estimateBytes(value) + name.length * 2;
        if (value === undefined || bytes > maxBytes / 4) entries.delete(name);
        else entries.resize(name, bytes);
      }
      return value;
    } catch (error) {
      if (isCurrent()) entries.delete(name);
      throw error;
    } finally {
      entry.isLoading = false;
    }
  };
  telemetry?.metrics.observe("cacheBytes", () => entries.bytes);

  return {
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.bytes;
    },
    // Not `async`, so that the stored promise is returned without another: each request reads several settings.
    get<T extends object>(tenantId: string, collection: CollectionName, key: CacheKey, load: () => Promise<T | undefined>) {
      // JSON, because a part of a key may contain any separator.
      const name = JSON.stringify([tenantId, collection, ...key]);
      const known = entries.get(name);
      const valid = known !== undefined && known.writes === known.source.writes ? known : undefined;
      telemetry?.countCacheLookup(collection, valid);
      // Every caller with the same collection and key loads the same type.
      if (valid !== undefined) return valid.work.join() as Promise<T | undefined>;
      return loadEntry({ name, collection, source: sourceOf(JSON.stringify([tenantId, collection])) }, load);
    },
    invalidate(tenantId, collection) {
      const source = sources.peek(JSON.stringify([tenantId, collection]));
      if (source !== undefined) source.writes++;
      for (const listener of listeners) listener(tenantId, collection);
    },
    onInvalidate(listener) {
      listeners.push(listener);
    },
  };
}
