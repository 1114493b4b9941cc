import * as z from "zod";
import type { HookTenant } from "../../adapters/tenant-hooks.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { toTimestamp } from "../../model/fields.ts";
import type { Installation } from "../installation.ts";
import { syncAll, type SyncProgress } from "../sync/copy-to-all.ts";
import { sharedStateDigest } from "../sync/shared-state-digest.ts";
import { finishCreation } from "./finish-creation.ts";
import { toHookTenant } from "./hooks.ts";
import { UnderWayError, withLease, type Lease } from "./lease.ts";
import { describe, storedOperation, operationStore, type LifecycleOperation } from "./operations.ts";
import { callAfterHooks } from "./call-after-hooks.ts";
import { upgradeTenant } from "./upgrade-tenant.ts";

/**
 * Runs a stored, unfinished operation: one that is pending, or one that a crashed process left. A lease ensures that
 * one process runs it at a time. Resolves when the operation is finished, or when it stays open because a hook must be
 * called again.
 */
export async function runOperation(installation: Installation, id: string): Promise<void> {
  const store = operationStore(installation);
  if (store === undefined) return;
  const row = await findOne(store.operations, { id });
  if (row === undefined || row.finished_at !== null) return;
  const operation = storedOperation(installation, store, id);
  const work = async (lease: Lease): Promise<void> => {
    // Checked again under the lease, because the previous holder may have finished it.
    const begun = await store.operations.update({ id, finished_at: null }, { set: { status: "running", updated_at: installation.now() } });
    if (begun !== 1) return;
    try {
      await perform(installation, row, operation, lease);
    } catch (error) {
      // Another operation on the tenant is running, or another process is running this one.
      if (error instanceof UnderWayError || lease.isLost()) return;
      await operation.finish("failed", describe(error));
    }
  };
  await withLease(installation.host, store.operations, { id }, work).catch((error: unknown) => {
    if (!(error instanceof UnderWayError)) throw error;
  });
}

/** The `input` of an operation on one tenant. */
const inputSchema = z.object({
  /** The tenant before the operation, as it is passed to hooks. */
  tenants: z.tuple([
    z.object({ id: z.string(), name: z.string(), friendly_name: z.string(), created_at: z.string(), updated_at: z.string() }),
  ]),
  /** For an update: the tenant's revision before the update. */
  revision: z.int().exactOptional(),
});

async function perform(
  installation: Installation,
  row: Row<"tenant_operations">,
  operation: LifecycleOperation,
  lease: Lease,
): Promise<void> {
  const { tenant_id: tenantId, kind } = row;
  switch (kind) {
    case "upgrade":
      await upgradeTenant(installation, tenantId, operation);
      return operation.finish("succeeded");
    case "sync":
      await sync(installation, row, operation, lease);
      return operation.finish("succeeded");
    case "provision":
      return afterProvision(installation, row, operation);
    case "deprovision":
      return afterDeletion(installation, row, operation);
    case "update":
      return afterUpdate(installation, row, operation);
    default:
      return operation.finish("failed", `this version does not support the operation '${kind}'`);
  }
}

/**
 * Copies the shared resources to all tenants after the last one that was synced. Reports a step for every hundred
 * tenants.
 */
async function sync(
  installation: Installation,
  { position }: Row<"tenant_operations">,
  operation: LifecycleOperation,
  lease: Lease,
): Promise<void> {
  const report = ({ done, skipped, failed }: SyncProgress, status: "running" | "succeeded"): Promise<void> =>
    operation.report({ name: "sync", status, detail: { done, skipped, failed } });
  if (position === "") await operation.keep({ picture: await sharedStateDigest(installation) });
  let reported = 0;
  const total = await syncAll(installation, {
    position,
    report: async (progress) => {
      lease.check();
      await operation.reached(progress.position);
      if (progress.done + progress.failed - reported < 100) return;
      reported = progress.done + progress.failed;
      await report(progress, "running");
    },
  });
  await report(total, "succeeded");
}

/**
 * Resumes a creation. If the tenant is ready, completes the creation and calls the hook. Otherwise `sweep` undoes the
 * creation.
 */
async function afterProvision(installation: Installation, row: Row<"tenant_operations">, operation: LifecycleOperation): Promise<void> {
  const tenant = await tenantOf(installation, row);
  if (tenant === undefined) return operation.finish("failed", "the process stopped while the tenant was being created");
  if (tenant.ready_at !== null) await finishCreation(installation, operation, inputTenant(row));
}

/** Resumes an update. Calls the hook with the current state if the change was made before the crash. */
async function afterUpdate(installation: Installation, row: Row<"tenant_operations">, operation: LifecycleOperation): Promise<void> {
  const tenant = await tenantOf(installation, row);
  if (tenant === undefined) return operation.finish("failed", "the tenant was deleted");
  if (tenant.revision === inputSchema.parse(row.input).revision) return operation.finish("failed", "the process stopped before the change");
  await callAfterHooks(installation, operation, "onTenantUpdated", [inputTenant(row), toHookTenant(tenant)]);
}

/** Resumes a deletion. Calls the hook when all data is deleted. Until then, `sweep` continues the deletion. */
async function afterDeletion(installation: Installation, row: Row<"tenant_operations">, operation: LifecycleOperation): Promise<void> {
  const tenant = await tenantOf(installation, row);
  if (tenant === undefined) return callAfterHooks(installation, operation, "onTenantDeleted", [inputTenant(row)]);
  const isBegun = tenant.deleting_at !== null || tenant.lease_until > installation.now();
  if (!isBegun) await operation.finish("failed", "the process stopped before the deletion began");
}

/** Returns the tenant that an operation belongs to; undefined if only a later tenant with the same id exists. */
async function tenantOf({ collections }: Installation, row: Row<"tenant_operations">): Promise<Row<"tenants"> | undefined> {
  const tenant = await findOne(collections.tenants, { id: row.tenant_id });
  return tenant !== undefined && inputTenant(row).created_at === toTimestamp(tenant.created_at) ? tenant : undefined;
}

function inputTenant({ input }: Row<"tenant_operations">): HookTenant {
  return inputSchema.parse(input).tenants[0];
}
