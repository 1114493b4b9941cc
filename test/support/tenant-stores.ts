import type { DatabaseIsolation } from "@postern/core";
import { schema, type AnyRow, type Collection, type Collections, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";

/** A database for each tenant, in memory, that counts who opens and closes it and who asks it something. */
export interface TenantStores {
  /** To be passed as `databaseIsolation`. What a test puts over `getAdapters` can call this one. */
  readonly isolation: DatabaseIsolation;
  /** A tenant's database, whether it is open or not. */
  database(tenantId: string): DataAdapter;
  /** Tenants whose databases are open now, in the order in which they were opened. */
  readonly open: ReadonlySet<string>;
  /** How often each was opened. */
  readonly opened: ReadonlyMap<string, number>;
  /** The largest number that was open at a time. */
  readonly peak: () => number;
  /** What must not happen: a question to a closed database, one that is closed while it is asked, one that is opened twice. */
  readonly misuses: readonly string[];
}

/** Makes {@link TenantStores}. @param latency waits before each answer, so that questions of different requests meet. */
export function tenantStores(
  options: Omit<DatabaseIsolation, "getAdapters"> = {},
  latency: () => Promise<unknown> = async () => {},
): TenantStores {
  const databases = new Map<string, DataAdapter>();
  const open = new Set<string>();
  const opened = new Map<string, number>();
  const misuses: string[] = [];
  let peak = 0;

  const database = (tenantId: string): DataAdapter => {
    let known = databases.get(tenantId);
    if (known === undefined) databases.set(tenantId, (known = createMemoryAdapter({ strict: true })));
    return known;
  };

  const getAdapters = async (tenantId: string): Promise<DataAdapter> => {
    await latency();
    if (open.has(tenantId)) misuses.push(`${tenantId} was opened twice`);
    open.add(tenantId);
    opened.set(tenantId, (opened.get(tenantId) ?? 0) + 1);
    peak = Math.max(peak, open.size);
    let [asked, closed] = [0, false];
    const ask = async <T>(question: () => Promise<T>): Promise<T> => {
      if (closed) misuses.push(`${tenantId} was asked after it was closed`);
      asked++;
      try {
        await latency();
        return await question();
      } finally {
        asked--;
      }
    };
    return {
      collections: wrapCollections(database(tenantId).collections, ask),
      async close() {
        if (asked > 0) misuses.push(`${tenantId} was closed while it was asked`);
        closed = true;
        await latency();
        open.delete(tenantId);
      },
    };
  };

  return { isolation: { ...options, getAdapters }, database, open, opened, misuses, peak: () => peak };
}

/** The same collections, each question of which goes through `ask`. */
export function wrapCollections(collections: Collections, ask: <T>(question: () => Promise<T>) => Promise<T>): Collections {
  const all: { [name: string]: Collection } = {};
  for (const { name } of Object.values(schema)) {
    // The row types differ from collection to collection.
    const inner = collections[name] as unknown as Collection<AnyRow>;
    all[name] = {
      ...(inner.filters !== undefined && { filters: inner.filters }),
      insert: (rows) => ask(() => inner.insert(rows)),
      find: (query) => ask(() => inner.find(query)),
      count: (where, filter) => ask(() => inner.count(where, filter)),
      update: (where, change) => ask(() => inner.update(where, change)),
      delete: (where) => ask(() => inner.delete(where)),
    };
  }
  return all as unknown as Collections;
}
