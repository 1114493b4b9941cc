import type { DataAdapter } from "../store/contract.ts";
import { createAuditWriter } from "./audit-writer.ts";
import { createCache } from "./cache.ts";
import { createScopes, type Installation } from "./installation.ts";
import { createExecutor } from "./lifecycle/executor.ts";
import { everyEvent } from "./repeated-events.ts";
import { storesOn } from "./databases/stores.ts";

/**
 * Creates an {@link Installation} that uses the data of a transaction. Other processes do not see its writes before the
 * commit. It has a separate cache, and an audit writer that stores each event in a separate row. Operations on tenants
 * run in this process, because an executor of the host application would look for them before they are committed.
 */
export function installationOn(outer: Installation, data: DataAdapter): Installation {
  const cache = createCache(outer.host.clock);
  // Also invalidates the cache of the outer installation, because the host application's commit does not. A request
  // that reads between this write and the commit caches the old rows until they expire.
  cache.onInvalidate((tenantId, collection) => outer.cache.invalidate(tenantId, collection));
  const stores = storesOn(data.collections);
  const inner: Installation = {
    ...outer,
    // Jobs that run inside the transaction also use its data.
    get jobs() {
      return inner;
    },
    stores,
    collections: stores.first,
    cache,
    audit: createAuditWriter((tenantId) => stores.collectionsOf(tenantId).logs, outer.host.logger, everyEvent),
    executor: createExecutor(undefined, outer.host.logger),
    scope: createScopes(stores, cache, outer.host.clock),
  };
  return inner;
}
