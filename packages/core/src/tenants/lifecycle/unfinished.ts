import type { Row } from "../../store/schema.ts";
import { forgetTenant, type Installation } from "../installation.ts";
import { clearTenant } from "./clear-tenant.ts";
import { toHookTenant } from "./hooks.ts";
import { beginLostSync } from "./lost-sync.ts";
import { UnderWayError, leaseTime, withLease } from "./lease.ts";
import { storedOperation, operationStore, type Operation } from "./operations.ts";
import { runOperation } from "./run-operation.ts";
import { beginSecondClearings, isSecondClearing } from "./second-clearing.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/** Tenants and operations of one step. */
const page = 50;

/**
 * Finishes what lost processes left: tenants that were being made are undone, tenants that were being removed are removed, operations go on, and hooks that failed are told again.
 * @returns whether nothing is left that could be finished now.
 */
export async function finishLifecycles(installation: Installation): Promise<boolean> {
  const { collections } = installation;
  const begun = await beginSecondClearings(installation);
  const abandoned = { lease_until: { lte: installation.now() } };
  const [half, going] = await Promise.all([
    collections.tenants.find({ where: { ready_at: null, ...abandoned }, limit: page }),
    collections.tenants.find({ where: { ready_at: { exists: true }, deleting_at: { exists: true }, ...abandoned }, limit: page }),
  ]);
  let finished = begun && half.length < page && going.length < page;
  for (const row of [...half, ...going]) finished = (await finishRemoval(installation, row)) && finished;
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
      // An operation that is on record goes on below, and tells it there.
      if (operation.id === undefined && row.ready_at !== null)
        await callAfterHooks(installation, operation, "onTenantDeleted", [toHookTenant(row)]);
    });
    return true;
  } catch (error) {
    // Another process has it.
    if (error instanceof UnderWayError) return true;
    installation.host.logger.log({ level: "error", event: "tenant_not_cleared", tenant_id: id, error });
    // Tried again in a minute, so that fifty that fail keep no other from its turn.
    const later = installation.now() + leaseTime;
    await collections.tenants.update({ id, created_at, lease_until: 0 }, { set: { lease_until: later } });
    return false;
  }
}

/** @returns false where the tenant is ready after all: whoever made it was slow, and not lost. */
async function beginUndoing(installation: Installation, { id, created_at }: Row<"tenants">): Promise<boolean> {
  const { collections } = installation;
  const where = { id, created_at, ready_at: null, deleting_at: null };
  const begun = await collections.tenants.update(where, { set: { deleting_at: installation.now() } });
  forgetTenant(installation, id);
  return begun === 1;
}

/** The operation that a removal belongs to, so that its steps are on record there. */
async function operationOn(installation: Installation, tenantId: string): Promise<Operation> {
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

/** A second clearing belongs to no operation: the history of the deletion is complete. */
function unrecorded(installation: Installation): Operation {
  return storedOperation(installation, undefined, undefined);
}

async function finishOperations(installation: Installation): Promise<boolean> {
  await beginLostSync(installation);
  const store = operationStore(installation);
  if (store === undefined) return true;
  const where = { finished_at: null, lease_until: { lte: installation.now() } };
  const rows = await store.operations.find({ where, limit: page, fields: ["id"] });
  for (const { id } of rows) await runOperation(installation, id);
  return rows.length < page;
}
