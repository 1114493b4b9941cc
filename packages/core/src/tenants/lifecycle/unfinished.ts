import type { Row } from "../../store/schema.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { clearTenant } from "./clear-tenant.ts";
import { toHookTenant } from "./hooks.ts";
import { scheduleMissedSync } from "./missed-sync.ts";
import { UnderWayError, leaseTime, withLease } from "./lease.ts";
import { storedOperation, operationStore, type LifecycleOperation } from "./operations.ts";
import { runOperation } from "./run-operation.ts";
import { beginSecondClearings, isSecondClearing } from "./second-clearing.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/** Tenants and operations per query. */
const page = 50;

/**
 * Completes the work of crashed processes: undoes unfinished creations, completes deletions, resumes operations, and
 * calls failed hooks again.
 * @returns false if more work may be left: call it again.
 */
export async function finishLifecycles(installation: Installation): Promise<boolean> {
  const { collections } = installation;
  const begun = await beginSecondClearings(installation);
  const abandoned = { lease_until: { lte: installation.now() } };
  const [unfinished, deleting] = await Promise.all([
    collections.tenants.find({ where: { ready_at: null, ...abandoned }, limit: page }),
    collections.tenants.find({ where: { ready_at: { exists: true }, deleting_at: { exists: true }, ...abandoned }, limit: page }),
  ]);
  let finished = begun && unfinished.length < page && deleting.length < page;
  for (const row of [...unfinished, ...deleting]) finished = (await finishRemoval(installation, row)) && finished;
  return (await finishOperations(installation)) && finished;
}

async function finishRemoval(installation: Installation, row: Row<"tenants">): Promise<boolean> {
  const { collections } = installation;
  const { id, created_at } = row;
  try {
    await withLease(installation.host, collections.tenants, { id, created_at }, async (lease) => {
      if (row.deleting_at === null && !(await beginUndoing(installation, row))) return;
      const operation = isSecondClearing(row) ? unrecorded(installation) : await operationOn(installation, id);
      await clearTenant(installation, row, operation, lease);
      // If the operation is stored, `finishOperations` resumes it and calls the hook.
      if (operation.id === undefined && row.ready_at !== null)
        await callAfterHooks(installation, operation, "onTenantDeleted", [toHookTenant(row)]);
    });
    return true;
  } catch (error) {
    // Another process holds the lease.
    if (error instanceof UnderWayError) return true;
    installation.host.logger.log({ level: "error", event: "tenant_not_cleared", tenant_id: id, error });
    // Postpones the retry by a minute, so that failing tenants do not fill the page and block others.
    const later = installation.now() + leaseTime;
    await collections.tenants.update({ id, created_at, lease_until: 0 }, { set: { lease_until: later } });
    return false;
  }
}

/**
 * Begins to undo an unfinished creation. @returns false if the tenant has become ready, because the process that
 * created it was only slow and has not crashed.
 */
async function beginUndoing(installation: Installation, { id, created_at }: Row<"tenants">): Promise<boolean> {
  const { collections } = installation;
  const where = { id, created_at, ready_at: null, deleting_at: null };
  const begun = await collections.tenants.update(where, { set: { deleting_at: installation.now() } });
  forgetTenant(installation, id);
  return begun === 1;
}

/** Returns the open operation that creates or deletes a tenant, so that the steps of the deletion are stored there. */
async function operationOn(installation: Installation, tenantId: string): Promise<LifecycleOperation> {
  const store = operationStore(installation);
  const open =
    (await store?.operations.find({
      where: { tenant_id: tenantId, finished_at: null },
      orderBy: { fields: ["tenant_id", "created_at", "id"], direction: "desc" },
      limit: page,
    })) ?? [];
  const row = open.find(({ kind }) => kind === "provision" || kind === "deprovision");
  return storedOperation(installation, store, row?.id);
}

/**
 * Returns an operation that is not stored, for a second clearing. The stored operation of the deletion is already
 * finished.
 */
function unrecorded(installation: Installation): LifecycleOperation {
  return storedOperation(installation, undefined, undefined);
}

async function finishOperations(installation: Installation): Promise<boolean> {
  await scheduleMissedSync(installation);
  const store = operationStore(installation);
  if (store === undefined) return true;
  const where = { finished_at: null, lease_until: { lte: installation.now() } };
  const rows = await store.operations.find({ where, limit: page, fields: ["id"] });
  for (const { id } of rows) await runOperation(installation, id);
  return rows.length < page;
}
