import { inParts } from "../../data/by-ids.ts";
import type { Collection, Collections } from "../../data/contract.ts";
import { schema, type TenantCollectionName } from "../../data/schema.ts";
import { withDeadline } from "../../domain/deadline.ts";
import { removeOrganization } from "../../domain/organizations/remove-organization.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { provisionTime } from "./hooks.ts";
import type { Lease } from "./lease.ts";
import type { Operation } from "./operations.ts";

/** Rows of one step. */
const chunk = 500;

/** Rows after which progress is reported. */
const reportEach = 5000;

/**
 * Removes everything of a tenant whose removal was begun (`deleting_at`), and its record last. Repeatable: whatever a lost process left is removed by the next call.
 * @throws where something could not be removed: the record stays, and `sweep` goes on later.
 */
export async function clearTenant(installation: Installation, tenantId: string, operation: Operation, lease: Lease): Promise<void> {
  const { collections, stores, isolation, environment } = installation;
  const [record] = await collections.tenants.find({ where: { id: tenantId }, limit: 1 });
  // Its hosts and clients stop naming it before anything else goes.
  await operation.step("directory", () => removeDirectory(installation, tenantId));
  // A database of the tenant's own goes as a whole, where the host sees to that: also one that cannot be opened any more.
  const isOwn = isolation?.onDeprovision !== undefined && (await stores.visit(tenantId, async () => true).catch(() => true)) === true;
  if (!isOwn) {
    await operation.step("records", () => clearData(installation, tenantId, operation, lease));
  }
  const organizationId = record?.organization_id ?? null;
  const { controlPlaneTenantId } = installation;
  if (organizationId !== null && controlPlaneTenantId !== undefined) {
    await operation.step("organization", () =>
      removeOrganization(installation.scope(controlPlaneTenantId), organizationId, environment.clock.now()),
    );
  }
  if (isolation?.onDeprovision !== undefined) {
    await operation.step("deprovision", async () => {
      await stores.close(tenantId);
      const deprovision = async (): Promise<void> => isolation.onDeprovision?.(tenantId, operation.report);
      await withDeadline(deprovision, provisionTime, "onDeprovision", environment.wait);
    });
  }
  lease.check();
  await collections.tenants.delete({ id: tenantId, deleting_at: { exists: true } });
  forgetTenant(installation, tenantId);
}

/** Removes every row of a tenant, collection by collection, in chunks. */
export async function clearData(installation: Installation, tenantId: string, operation: Operation, lease: Lease): Promise<void> {
  const { stores, cache } = installation;
  const collections = stores.collectionsOf(tenantId);
  let [removed, reported] = [0, 0];
  for (const { name, scope, key } of Object.values(schema)) {
    if (scope !== "tenant") continue;
    await clearCollection(untyped(collections, name), tenantId, key[0], async (rows) => {
      lease.check();
      removed += rows;
      if (removed - reported < reportEach) return;
      reported = removed;
      await operation.report({ name: "records", status: "running", detail: { collection: name, removed } });
    });
    cache.invalidate(tenantId, name);
    cache.invalidate("", name);
  }
}

/** Rows whose removal was begun are among them: nothing is hidden here. */
async function clearCollection(
  collection: Collection,
  tenantId: string,
  keyField: string,
  progress: (rows: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await collection.find({ where: { tenant_id: tenantId }, limit: chunk });
    // All rows with one of these values are the tenant's, so those that were not read may go as well.
    for (const values of inParts([...new Set(rows.map((row) => String(row[keyField])))])) {
      await progress(await collection.delete({ tenant_id: tenantId, [keyField]: { in: values } }));
    }
    if (rows.length < chunk) return;
  }
}

async function removeDirectory({ collections, cache }: Installation, tenantId: string): Promise<void> {
  for (;;) {
    const entries = await collections.directory.find({ where: { tenant_id: tenantId }, limit: chunk });
    for (const { kind, value } of entries) await collections.directory.delete({ kind, value, tenant_id: tenantId });
    cache.invalidate("", "directory");
    if (entries.length < chunk) return;
  }
}

/** The row types differ from collection to collection; what is said of them here follows from the description. */
function untyped(collections: Collections, name: TenantCollectionName): Collection {
  return collections[name] as unknown as Collection;
}
