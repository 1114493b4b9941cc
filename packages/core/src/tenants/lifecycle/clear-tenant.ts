import { endOfTurn } from "../../store/turn.ts";
import { splitIntoParts } from "../../store/by-ids.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import type { AnyRow, Collection, Collections, Match } from "../../store/contract.ts";
import { schema, type Row, type TenantCollectionName } from "../../store/schema.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { removeOrganization } from "../../identity/organizations/remove-organization.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { provisionTime } from "./hooks.ts";
import type { Lease } from "./lease.ts";
import type { LifecycleOperation } from "./operations.ts";
import { claimMarker, finishSecondClearing, isSecondClearing, markDeleted } from "./second-clearing.ts";

/** Rows per query. */
const chunk = 500;

/** Rows after which progress is reported. */
const reportEach = 5000;

/** Maximum number of rows in a chunk with the same first key field that are deleted one by one. */
const fewInCommon = 50;

/** Identifies a tenant. A later tenant with the same id has another creation time. */
type TenantBeingDeleted = Pick<Row<"tenants">, "id" | "organization_id" | "settings" | "created_at">;

/**
 * Deletes all data of a tenant whose deletion has begun (`deleting_at`), and its row last. Safe to repeat: the next
 * call deletes the data that a crashed process left.
 * @throws if some data could not be deleted. Then the row stays, and `sweep` continues later.
 */
export async function clearTenant(
  installation: Installation,
  target: TenantBeingDeleted,
  operation: LifecycleOperation,
  lease: Lease,
): Promise<void> {
  const { collections, stores, isolation, controlPlaneTenantId } = installation;
  const { id: tenantId, organization_id: organizationId, created_at } = target;
  if (isSecondClearing(target)) return clearSecondTime(installation, target, operation, lease);
  // First removes the tenant's hosts and clients from the directory, so that requests no longer find the tenant.
  await operation.step("directory", () => clearDirectory(installation, tenantId, lease));
  // A tenant-specific database is dropped as a whole if the host application passes `onDeprovision`, even if the
  // database can no longer be opened.
  const isOwn = isolation?.onDeprovision !== undefined && (await stores.visit(tenantId, async () => true).catch(() => true)) === true;
  const from = isOwn ? stores.first : stores.collectionsOf(tenantId);
  await operation.step("records", () => clearData(installation, from, tenantId, operation, lease));
  if (organizationId !== null && controlPlaneTenantId !== undefined) {
    await operation.step("organization", () =>
      removeOrganization(installation.scope(controlPlaneTenantId), organizationId, installation.now()),
    );
  }
  if (isolation?.onDeprovision !== undefined) {
    await operation.step("deprovision", async () => {
      await stores.close(tenantId);
      const deprovision = async (): Promise<void> => isolation.onDeprovision?.(tenantId, operation.report);
      await withDeadline(deprovision, provisionTime, "onDeprovision", installation.host.wait);
    });
  }
  // Repeated, to release the names of hosts that were verified and clients that were created in the meantime. Otherwise
  // no other tenant could use these names.
  await clearDirectory(installation, tenantId, lease);
  await markDeleted(installation, tenantId);
  await collections.tenants.delete({ id: tenantId, created_at, deleting_at: { exists: true } });
  forgetTenant(installation, tenantId);
}

/**
 * Deletes the data that other processes stored for a deleted tenant before they noticed the deletion. The tenant's
 * organization is already deleted, and the host application has already dropped a tenant-specific database.
 */
async function clearSecondTime(
  installation: Installation,
  { id: tenantId, created_at }: TenantBeingDeleted,
  operation: LifecycleOperation,
  lease: Lease,
): Promise<void> {
  const { collections, stores, isolation } = installation;
  if (await claimMarker(installation, tenantId)) {
    await clearDirectory(installation, tenantId, lease);
    await clearData(installation, stores.first, tenantId, operation, lease);
    // Opening a database that the host application has dropped could create it again.
    if (stores.isolated && isolation?.onDeprovision === undefined) await clearOwnDatabase(installation, tenantId, operation, lease);
    lease.check();
    await finishSecondClearing(installation, tenantId);
  }
  await collections.tenants.delete({ id: tenantId, created_at, deleting_at: { exists: true } });
  forgetTenant(installation, tenantId);
}

/**
 * Clears a tenant-specific database that the host application keeps after the deletion. A database that cannot be
 * opened must not block the id.
 */
async function clearOwnDatabase(installation: Installation, tenantId: string, operation: LifecycleOperation, lease: Lease): Promise<void> {
  const { stores } = installation;
  try {
    await stores.visit(tenantId, (own) => clearData(installation, own, tenantId, operation, lease));
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
  }
}

/** Deletes every row of a tenant, collection by collection, in chunks. */
export async function clearData(
  { cache }: Installation,
  collections: Collections,
  tenantId: string,
  operation: LifecycleOperation,
  lease: Lease,
): Promise<void> {
  let [removed, reported] = [0, 0];
  for (const { name, scope, key } of Object.values(schema)) {
    if (scope !== "tenant") continue;
    await clearCollection(untyped(collections, name), tenantId, key, lease, async (rows) => {
      removed += rows;
      if (removed - reported < reportEach) return;
      reported = removed;
      await operation.report({ name: "records", status: "running", detail: { collection: name, removed } });
    });
    cache.invalidate(tenantId, name);
    cache.invalidate("", name);
  }
}

/**
 * Deletes a tenant's rows in one collection, including rows whose deletion has begun, because these collections hide no
 * rows.
 */
async function clearCollection(
  collection: Collection,
  tenantId: string,
  key: readonly string[],
  lease: Lease,
  progress: (rows: number) => Promise<void>,
): Promise<void> {
  for (;;) {
    const rows = await collection.find({ where: { tenant_id: tenantId }, limit: chunk });
    for (const where of conditionsOf(rows, key)) {
      lease.check();
      await progress(await collection.delete({ tenant_id: tenantId, ...where }));
      // A database in the same process responds in the same turn. This pause lets other work run in between.
      await endOfTurn();
    }
    if (rows.length < chunk) return;
  }
}

/**
 * Returns conditions that match these rows and few others, so that an organization with a million members is deleted
 * chunk by chunk.
 */
function conditionsOf(rows: readonly AnyRow[], [first = "", ...others]: readonly string[]): readonly Match<AnyRow>[] {
  const groups = Map.groupBy(rows, (row) => String(row[first]));
  const crowds = [...groups].filter(([, group]) => others.length > 0 && group.length > fewInCommon);
  const rest = [...groups.keys()].filter((value) => !crowds.some(([crowded]) => crowded === value));
  return [
    ...splitIntoParts(rest).map((values) => ({ [first]: { in: values } })),
    ...crowds.flatMap(([value, group]) => conditionsOf(group, others).map((where) => ({ [first]: value, ...where }))),
  ];
}

/** Deletes the directory entries of a tenant's hosts and clients. */
export async function clearDirectory({ collections, cache }: Installation, tenantId: string, lease: Lease): Promise<void> {
  for (;;) {
    const entries = await collections.directory.find({ where: { tenant_id: tenantId }, limit: chunk });
    lease.check();
    for (const { kind, value } of entries) await collections.directory.delete({ kind, value, tenant_id: tenantId });
    cache.invalidate("", "directory");
    if (entries.length < chunk) return;
    await endOfTurn();
  }
}

/** Row types differ between collections. The fields that are used here follow from the description. */
function untyped(collections: Collections, name: TenantCollectionName): Collection {
  return collections[name] as unknown as Collection;
}
