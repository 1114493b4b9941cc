import type { Clock } from "../adapters/clock.ts";
import type { CollectionName } from "../data/schema.ts";
import { boundedMap } from "../data/bounded-map.ts";

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
  readonly source: Source;
  /** How often the source had been written to when the load began: an entry counts only while that is so. */
  readonly writes: number;
}

/** A collection of a tenant, as far as anything of it is kept. */
interface Source {
  writes: number;
}

/** Makes a {@link Cache} of at most 10,000 entries. */
export function createCache(clock: Clock): Cache {
  const entries = boundedMap<Entry>();
  const sources = boundedMap<Source>(10_000, (source) => {
    // Whoever writes to it later would not find it: what is kept of it does not count any more.
    source.writes++;
  });
  const sourceOf = (name: string): Source => {
    let source = sources.get(name);
    if (source === undefined) sources.set(name, (source = { writes: 0 }));
    return source;
  };

  const keep = async <T extends object>(name: string, source: Source, load: () => Promise<T | undefined>): Promise<T | undefined> => {
    const { writes } = source;
    const entry = { value: load(), loadedAt: clock.now(), source, writes };
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
  };

  return {
    // Not `async`: what is there is handed out as the promise that it is kept as. A request asks for half a dozen settings.
    get<T extends object>(tenantId: string, collection: CollectionName, key: string, load: () => Promise<T | undefined>) {
      const name = `${tenantId}/${collection}/${key}`;
      const known = entries.get(name);
      if (known !== undefined && known.writes === known.source.writes && clock.now() - known.loadedAt < lifetime) {
        // Every caller of one collection and key loads the same type: the key names what is loaded.
        return known.value as Promise<T | undefined>;
      }
      return keep(name, sourceOf(`${tenantId}/${collection}`), load);
    },
    invalidate(tenantId, collection) {
      const source = sources.peek(`${tenantId}/${collection}`);
      if (source !== undefined) source.writes++;
    },
  };
}
