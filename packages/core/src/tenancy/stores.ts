import type { DatabaseIsolation } from "../adapters/database-isolation.ts";
import type { AnyRow, Collection, Collections, DataAdapter } from "../data/contract.ts";
import { schema } from "../data/schema.ts";
import type { Environment } from "../domain/environment.ts";
import { TenantDatabases } from "./tenant-databases.ts";
import { boundedMap } from "../data/bounded-map.ts";

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
  /**
   * Looks after a tenant's own database, which stays open meanwhile; what was not open before is closed afterwards.
   * @returns undefined where the tenant's data is in the first one.
   */
  visit<T>(tenantId: string, run: (own: Collections) => Promise<T>): Promise<T | undefined>;
  /** Closes what nobody has asked anything for a while. */
  closeIdle(): Promise<void>;
  /** Closes a tenant's own database when the questions to it have their answers, and forgets what is known of it: whether it could be opened, and what was checked. */
  close(tenantId: string): Promise<void>;
  /** Closes every database of a tenant's own. The first one is the host's. */
  closeAll(): Promise<void>;
}

/** Makes the {@link Stores}. @param controlPlaneId its data stays in the first database. */
export function createStores(
  first: DataAdapter,
  isolation: DatabaseIsolation | undefined,
  controlPlaneId: string | undefined,
  environment: Pick<Environment, "clock" | "logger" | "sealer" | "wait">,
): Stores {
  const { collections } = first;
  if (isolation === undefined) {
    return {
      first: collections,
      isolated: false,
      collectionsOf: () => collections,
      visit: async () => undefined,
      closeIdle: async () => {},
      close: async () => {},
      closeAll: async () => {},
    };
  }
  const databases = new TenantDatabases(first, isolation, environment);
  const known = boundedMap<Collections>({ entries: 1000 });
  return {
    first: collections,
    isolated: true,
    collectionsOf(tenantId) {
      if (tenantId === controlPlaneId) return collections;
      let own = known.get(tenantId);
      if (own === undefined) known.set(tenantId, (own = through(databases, tenantId, collections)));
      return own;
    },
    visit: async (tenantId, run) =>
      tenantId === controlPlaneId
        ? undefined
        : databases.visit(tenantId, async (adapter) => (adapter === undefined ? undefined : run(adapter.collections))),
    closeIdle: () => databases.closeIdle(),
    close: (tenantId) => databases.close(tenantId),
    closeAll: () => databases.closeAll(),
  };
}

/** The collections of one tenant, whose database is looked for when it is asked something. */
function through(databases: TenantDatabases, tenantId: string, first: Collections): Collections {
  const all: { [name: string]: unknown } = { ...first };
  for (const { name, scope } of Object.values(schema)) {
    if (scope !== "tenant") continue;
    const inFirst = first[name] as unknown as Collection;
    const ask = <T>(question: (collection: Collection) => Promise<T>): Promise<T> =>
      databases.ask(tenantId, (adapter) =>
        question(adapter === undefined ? inFirst : (adapter.collections[name] as unknown as Collection)),
      );
    all[name] = {
      ...(inFirst.filters !== undefined && { filters: inFirst.filters }),
      insert: (rows) => ask((collection) => collection.insert(rows)),
      find: (query) => ask((collection) => collection.find(query)),
      count: (where, filter) => ask((collection) => collection.count(where, filter)),
      update: (where, change) => ask((collection) => collection.update(where, change)),
      delete: (where) => ask((collection) => collection.delete(where)),
    } satisfies Collection<AnyRow>;
  }
  // Every collection of the first adapter, those of tenants with methods of the same types.
  return all as Collections;
}
