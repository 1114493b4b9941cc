import { LRUCache } from "lru-cache";
import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { AnyRow, Collection, Collections, DataAdapter } from "../data/contract.ts";
import { UnavailableError } from "../data/conflicts.ts";
import { schema } from "../data/schema.ts";
import { withDeadline } from "../domain/deadline.ts";
import type { Environment } from "../domain/environment.ts";

/** Where the data of each tenant is. */
export interface Stores {
  /** The first database: tenants, the directory, operations, the control plane, and every tenant without a database of its own. */
  readonly first: Collections;
  /** True where tenants may have databases of their own (`databaseIsolation`). */
  readonly isolated: boolean;
  /**
   * The collections of a tenant. A database of its own is opened by the first question that is asked of it, and again after it was closed.
   * What cannot be opened answers each question with an {@link UnavailableError}: that tenant is not served, and all others are.
   */
  collectionsOf(tenantId: string): Collections;
  /** The adapter of a tenant's own database, opened; undefined where its data is in the first. */
  adapterOf(tenantId: string): Promise<DataAdapter | undefined>;
  /** Closes what nobody has asked anything for a while. */
  closeIdle(): Promise<void>;
  /** Closes every database of a tenant's own, when no question to it is open. */
  close(tenantId: string): Promise<void>;
}

/** Milliseconds that opening a database may take. */
const patience = 10_000;
const defaultMaxOpen = 100;
const defaultIdleSeconds = 300;

interface Opened {
  readonly adapter: Promise<DataAdapter | undefined>;
  asked: number;
  usedAt: number;
}

/** Makes the {@link Stores}. @param controlPlaneId its data stays in the first database. */
export function createStores(
  first: DataAdapter,
  isolation: DatabaseIsolation | undefined,
  controlPlaneId: string | undefined,
  { clock, logger, wait }: Pick<Environment, "clock" | "logger" | "wait">,
): Stores {
  const { maxOpen = defaultMaxOpen, idleSeconds = defaultIdleSeconds } = isolation ?? {};
  // In the order of their last use.
  const opened = new Map<string, Opened>();

  const open = async (tenantId: string): Promise<DataAdapter | undefined> => {
    try {
      return await withDeadline(
        async () => {
          const adapter = (await isolation?.getAdapters(tenantId)) ?? undefined;
          if (adapter !== undefined && typeof adapter.collections !== "object")
            throw new TypeError("getAdapters answered with no data adapter");
          await adapter?.check?.();
          return adapter;
        },
        patience,
        "databaseIsolation.getAdapters",
        wait,
      );
    } catch (cause) {
      logger.log({ level: "error", event: "database_unavailable", tenant_id: tenantId, error: cause });
      throw new UnavailableError(`the database of tenant '${tenantId}' cannot be opened`, { cause });
    }
  };

  const closeOne = async (tenantId: string, entry: Opened): Promise<void> => {
    if (entry.asked > 0 || opened.get(tenantId) !== entry) return;
    opened.delete(tenantId);
    // One that could not be opened has nothing to close, and whoever asked was told.
    const adapter = await entry.adapter.catch(() => undefined);
    await adapter
      ?.close?.()
      .catch((error: unknown) => logger.log({ level: "warn", event: "database_not_closed", tenant_id: tenantId, error }));
  };

  const closeIdle = async (): Promise<void> => {
    const before = clock.now() - idleSeconds * 1000;
    let surplus = opened.size - maxOpen;
    const idle = [...opened].filter(([, entry]) => entry.usedAt < before || surplus-- > 0);
    await Promise.all(idle.map(([tenantId, entry]) => closeOne(tenantId, entry)));
  };

  /** Asks something of a tenant's database, which stays open for as long as the answer takes. */
  const ask = async <T>(tenantId: string, question: (adapter: DataAdapter | undefined) => Promise<T>): Promise<T> => {
    const known = opened.get(tenantId);
    const entry = known ?? { adapter: open(tenantId), asked: 0, usedAt: 0 };
    entry.asked++;
    entry.usedAt = clock.now();
    opened.delete(tenantId);
    opened.set(tenantId, entry);
    if (known === undefined) void closeIdle();
    try {
      const adapter = await entry.adapter.catch((error: unknown) => {
        // The next question tries again.
        if (opened.get(tenantId) === entry) opened.delete(tenantId);
        throw error;
      });
      return await question(adapter);
    } finally {
      entry.asked--;
    }
  };

  const facades = new LRUCache<string, Collections>({ max: 10_000 });
  const facade = (tenantId: string): Collections => {
    const through: { [name: string]: unknown } = { ...first.collections };
    for (const { name, scope } of Object.values(schema)) {
      if (scope !== "tenant") continue;
      const inFirst = first.collections[name] as unknown as Collection;
      const of = (adapter: DataAdapter | undefined): Collection =>
        adapter === undefined ? inFirst : (adapter.collections[name] as unknown as Collection);
      through[name] = {
        ...(inFirst.filters !== undefined && { filters: inFirst.filters }),
        insert: (rows) => ask(tenantId, (adapter) => of(adapter).insert(rows)),
        find: (query) => ask(tenantId, (adapter) => of(adapter).find(query)),
        count: (where, filter) => ask(tenantId, (adapter) => of(adapter).count(where, filter)),
        update: (where, change) => ask(tenantId, (adapter) => of(adapter).update(where, change)),
        delete: (where) => ask(tenantId, (adapter) => of(adapter).delete(where)),
      } satisfies Collection<AnyRow>;
    }
    // Every collection of the first adapter, those of tenants with methods of the same types.
    return through as Collections;
  };

  return {
    first: first.collections,
    isolated: isolation !== undefined,
    collectionsOf(tenantId) {
      if (isolation === undefined || tenantId === controlPlaneId) return first.collections;
      let known = facades.get(tenantId);
      if (known === undefined) facades.set(tenantId, (known = facade(tenantId)));
      return known;
    },
    adapterOf: async (tenantId) =>
      isolation === undefined || tenantId === controlPlaneId ? undefined : ask(tenantId, async (adapter) => adapter),
    closeIdle,
    async close(tenantId) {
      const entry = opened.get(tenantId);
      if (entry !== undefined) await closeOne(tenantId, entry);
    },
  };
}
