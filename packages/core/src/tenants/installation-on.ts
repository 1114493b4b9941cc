import type { DataAdapter } from "../store/contract.ts";
import { createAuditWriter } from "./audit-writer.ts";
import { createCache } from "./cache.ts";
import { createScopes, type Installation } from "./installation.ts";
import { createExecutor } from "./lifecycle/executor.ts";
import { everyEvent } from "./repeated-events.ts";
import { storesOn } from "./databases/stores.ts";

/**
 * The same service on the data of a transaction, which nobody else sees: it has a cache of its own, and waits for nobody's rows or operations. Every audit event has a row,
 * and operations on tenants are done by this process: an executor of the host's would look for them before they are there.
 */
export function installationOn(outer: Installation, data: DataAdapter): Installation {
  const cache = createCache(outer.host.clock);
  // Until the commit, other requests read the old rows again. Then they must not wait for the cache to expire.
  cache.onInvalidate((tenantId, collection) => outer.cache.invalidate(tenantId, collection));
  const stores = storesOn(data.collections);
  const inner: Installation = {
    ...outer,
    // A job inside of the transaction is part of it as well.
    get jobs() {
      return inner;
    },
    stores,
    collections: stores.first,
    cache,
    audit: createAuditWriter((tenantId) => stores.collectionsOf(tenantId).logs, outer.host.logger, everyEvent),
    executor: createExecutor(undefined, outer.host.logger),
    scope: createScopes(stores, cache),
  };
  return inner;
}
