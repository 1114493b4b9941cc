import type { DatabaseIsolation } from "@postern/core";
import { schema, type AnyRow, type Collection, type Collections, type DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";

/** A database in memory for each tenant, which records when it is opened, closed and queried. */
export interface TenantStores {
  /** Pass it as `databaseIsolation`. A test that replaces `getAdapters` can call this one. */
  readonly isolation: DatabaseIsolation;
  /** A tenant's database, open or not. */
  database(tenantId: string): DataAdapter;
  /** Tenants whose databases are open, in the order in which they were opened. */
  readonly open: ReadonlySet<string>;
  /** How often each database was opened. */
  readonly opened: ReadonlyMap<string, number>;
  /** The maximum number of databases that were open at the same time. */
  readonly peak: () => number;
  /**
   * Errors in the order of the calls: a query to a closed database, a database that is closed during a query, or a
   * database that is opened twice.
   */
  readonly misuses: readonly string[];
}

/** Creates {@link TenantStores}. @param latency delays each result, so that queries of different requests overlap. */
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
    let [pending, closed] = [0, false];
    const request = async <T>(operation: () => Promise<T>): Promise<T> => {
      if (closed) misuses.push(`${tenantId} was queried after it was closed`);
      pending++;
      try {
        await latency();
        return await operation();
      } finally {
        pending--;
      }
    };
    return {
      collections: wrapCollections(database(tenantId).collections, request),
      async close() {
        if (pending > 0) misuses.push(`${tenantId} was closed during a query`);
        closed = true;
        await latency();
        open.delete(tenantId);
      },
    };
  };

  return { isolation: { ...options, getAdapters }, database, open, opened, misuses, peak: () => peak };
}

/** Wraps collections so that each query runs through `runQuery`. */
export function wrapCollections(collections: Collections, request: <T>(question: () => Promise<T>) => Promise<T>): Collections {
  const all: { [name: string]: Collection } = {};
  for (const { name } of Object.values(schema)) {
    // The row types differ by collection.
    const inner = collections[name] as unknown as Collection<AnyRow>;
    all[name] = {
      ...(inner.filters !== undefined && { filters: inner.filters }),
      insert: (rows) => request(() => inner.insert(rows)),
      find: (query) => request(() => inner.find(query)),
      count: (where, filter) => request(() => inner.count(where, filter)),
      update: (where, change) => request(() => inner.update(where, change)),
      delete: (where) => request(() => inner.delete(where)),
    };
  }
  return all as unknown as Collections;
}
