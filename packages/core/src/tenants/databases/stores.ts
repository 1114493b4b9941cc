import type { ServiceContext } from "../../context.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import { boundedMap } from "../../store/bounded-map.ts";
import { DataTimeoutError } from "../../store/conflicts.ts";
import type { AnyRow, CallOptions, Collection, Collections, DataAdapter } from "../../store/contract.ts";
import { schema, type TenantCollectionName } from "../../store/schema.ts";
import { DatabaseTimeouts, withTimeouts, type RunCall, type TimedCall } from "./database-timeouts.ts";
import { withGroupedInserts } from "./group-inserts.ts";
import { observeCollections } from "./observe-collections.ts";
import { OpenTenantDatabases } from "./tenant-databases.ts";

/** Access to the data of each tenant. */
export interface Stores {
  /**
   * The first database. It contains the tenants, the directory, the operations, and the data of the control plane and
   * of every tenant without a tenant-specific database.
   */
  readonly first: Collections;
  /** True if tenants can have tenant-specific databases (`databaseIsolation`). */
  readonly isolated: boolean;
  /**
   * Runs a call on the first database, with the timeout of these stores. @throws {DataTimeoutError} if the database
   * does not respond in time.
   */
  readonly runOnFirst: RunCall;
  /**
   * Returns the collections of a tenant. A tenant-specific database is opened by the first call on it, and again after
   * it was closed. If it cannot be opened, each call rejects with an {@link UnavailableError}, and only that tenant is
   * not served.
   */
  collectionsOf(tenantId: string): Collections;
  /**
   * Runs a function on a tenant-specific database. If the database was not open before, it is closed afterwards.
   * Opening the database and the first call have the timeout of a request's data call, so that a job quickly detects
   * databases that do not respond. Later calls have the timeout of these stores.
   * @returns undefined if the tenant's data is in the first database.
   * @throws {DataTimeoutError} if the database is not open in time. `run` is not called then.
   */
  visit<T>(tenantId: string, run: (own: Collections) => Promise<T>): Promise<T | undefined>;
  /** Closes databases that were not used for a while. */
  closeIdle(): Promise<void>;
  /**
   * Closes a tenant-specific database after its calls in progress, and forgets cached facts about it: whether it could
   * be opened, and whether it was checked.
   */
  close(tenantId: string): Promise<void>;
  /** Closes all tenant-specific databases. The host application closes the first database. */
  closeAll(): Promise<void>;
}

/** Two {@link Stores} of the same databases, for requests and for jobs. */
interface StoresByUse {
  readonly requests: Stores;
  /** For jobs such as `sweep`, whose data calls have a longer timeout. */
  readonly jobs: Stores;
}

/** Milliseconds that one data call of a job may take. */
const jobTimeout = 60_000;

/** The parts that the stores for requests and for jobs share. */
interface Shared {
  readonly host: ServiceContext["host"];
  readonly first: DataAdapter;
  readonly controlPlaneId: string | undefined;
  readonly databases: OpenTenantDatabases | undefined;
  /** Milliseconds that one data call of a request may take. */
  readonly requestTimeout: number;
  readonly timeouts: DatabaseTimeouts;
  timeoutsOf(tenantId: string): DatabaseTimeouts;
  forgetTimeoutsOf(tenantId: string): void;
}

/**
 * Creates the {@link Stores}.
 * @param controlPlaneId the control plane, whose data stays in the first database.
 * @param requestTimeout maximum milliseconds for one data call of a request.
 */
export function createStores(
  first: DataAdapter,
  isolation: DatabaseIsolation | undefined,
  controlPlaneId: string | undefined,
  context: Pick<ServiceContext, "host" | "secrets">,
  requestTimeout: number,
): StoresByUse {
  const timeoutsByTenant = boundedMap<DatabaseTimeouts>();
  const shared: Shared = {
    host: context.host,
    first,
    controlPlaneId,
    databases: isolation && new OpenTenantDatabases(first, isolation, context),
    requestTimeout,
    timeouts: new DatabaseTimeouts(context.host),
    timeoutsOf(tenantId) {
      let timeouts = timeoutsByTenant.get(tenantId);
      if (timeouts === undefined) timeoutsByTenant.set(tenantId, (timeouts = new DatabaseTimeouts(context.host, tenantId)));
      return timeouts;
    },
    forgetTimeoutsOf: (tenantId) => timeoutsByTenant.delete(tenantId),
  };
  return {
    requests: storesWith(shared, requestTimeout),
    jobs: storesWith(shared, Math.max(jobTimeout, requestTimeout)),
  };
}

/** Creates stores on collections whose calls already have timeouts. */
export function storesOn(collections: Collections): Stores {
  return {
    first: collections,
    isolated: false,
    runOnFirst: runAtOnce,
    collectionsOf: () => collections,
    visit: async () => undefined,
    closeIdle: async () => {},
    close: async () => {},
    closeAll: async () => {},
  };
}

/** Runs calls without a timeout. */
const runAtOnce: RunCall = (call) => call({ signal: new AbortController().signal, isAborted: false });

function storesWith(shared: Shared, timeout: number): Stores {
  const { host, first, controlPlaneId, databases, requestTimeout, timeouts, timeoutsOf, forgetTimeoutsOf } = shared;
  const runOnFirst: RunCall = first.isSynchronous === true ? runAtOnce : (call, collection) => timeouts.run(timeout, call, collection);
  const timed = first.isSynchronous === true ? first.collections : withTimeouts(first.collections, runOnFirst);
  const collections = withGroupedInserts(observeCollections(timed, host.telemetry), host);
  if (databases === undefined) return { ...storesOn(collections), runOnFirst };
  const known = boundedMap<Collections>({ entries: 1000 });
  return {
    first: collections,
    isolated: true,
    runOnFirst,
    collectionsOf(tenantId) {
      if (tenantId === controlPlaneId) return collections;
      let own = known.get(tenantId);
      if (own === undefined) {
        const runOn: RunOn = (name, call) =>
          timeoutsOf(tenantId).run(
            timeout,
            (options) =>
              databases.run(tenantId, (adapter) => {
                // The database may have opened only after the caller stopped waiting.
                if (options.isAborted) throw new DataTimeoutError("the caller no longer waits");
                const result = call((adapter ?? first).collections[name] as unknown as Collection, options);
                // A call whose caller has timed out must not keep the database from being closed.
                return adapter?.isSynchronous === true ? result : Promise.race([result, whenAborted(options.signal)]);
              }),
            name,
          );
        known.set(tenantId, (own = withGroupedInserts(observeCollections(through(runOn, collections), host.telemetry, "tenant"), host)));
      }
      return own;
    },
    async visit(tenantId, run) {
      if (tenantId === controlPlaneId) return undefined;
      const own = timeoutsOf(tenantId);
      let hasResponded = false;
      const runCall: RunCall = (call, collection) => {
        const recorded = async (options: TimedCall) => {
          const result = await call(options);
          hasResponded = true;
          return result;
        };
        return own.run(hasResponded ? timeout : requestTimeout, recorded, collection);
      };
      return visitOpen(databases, tenantId, (opened) => run(observeCollections(opened, host.telemetry)), {
        open: (call) => own.open(requestTimeout, call),
        each: runCall,
      });
    },
    closeIdle: () => databases.closeIdle(),
    close: (tenantId) => {
      forgetTimeoutsOf(tenantId);
      return databases.close(tenantId);
    },
    closeAll: () => databases.closeAll(),
  };
}

/**
 * Runs a function on a tenant-specific database, with one timeout for opening it and another for each call. If the
 * timeout passes while the database is being opened, the function is not called.
 */
async function visitOpen<T>(
  databases: OpenTenantDatabases,
  tenantId: string,
  run: (own: Collections) => Promise<T>,
  { open, each }: { readonly open: RunCall; readonly each: RunCall },
): Promise<T | undefined> {
  let visit: Promise<T | undefined> = Promise.resolve(undefined);
  await open(async ({ signal }) => {
    await new Promise<void>((resolve, reject) => {
      visit = databases.visit(tenantId, async (adapter) => {
        resolve();
        signal.throwIfAborted();
        return adapter === undefined ? undefined : run(withTimeouts(adapter.collections, each));
      });
      visit.catch(reject);
    });
  });
  return visit;
}

/** Rejects when the call is aborted. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DataTimeoutError("the caller no longer waits"))));
}

/** Runs a call on a tenant's collection, in the database that contains it. */
type RunOn = <T>(name: TenantCollectionName, call: (collection: Collection, options: CallOptions) => Promise<T>) => Promise<T>;

/** Returns the collections of one tenant. Each call resolves the tenant's database when it runs. */
function through(runOn: RunOn, first: Collections): Collections {
  const all: { [name: string]: unknown } = { ...first };
  for (const description of Object.values(schema)) {
    if (description.scope !== "tenant") continue;
    const { name } = description;
    const { filters } = first[name];
    all[name] = {
      ...(filters !== undefined && { filters }),
      insert: (rows) => runOn(name, (collection, options) => collection.insert(rows, options)),
      find: (query) => runOn(name, (collection, options) => collection.find(query, options)),
      count: (where, filter) => runOn(name, (collection, options) => collection.count(where, filter, options)),
      update: (where, change) => runOn(name, (collection, options) => collection.update(where, change, options)),
      delete: (where) => runOn(name, (collection, options) => collection.delete(where, options)),
    } satisfies Collection<AnyRow>;
  }
  // Contains every collection of the first adapter. The collections of tenants are wrappers of the same types.
  return all as Collections;
}
