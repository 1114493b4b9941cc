import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { changeTenant, findTenant, type Installation } from "../installation.ts";
import { callBeforeHook, toHookTenant } from "./hooks.ts";
import { beginOperation, describe } from "./operations.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/**
 * Changes a tenant's row, and calls the hooks before and after the change.
 * @param change returns the fields to set. It is called again after a conflict with a concurrent change.
 * @throws {PosternError} `not_found`, `conflict`, or `invalid_request` if a hook rejects the change.
 */
export async function updateTenant(
  installation: Installation,
  tenantId: string,
  change: (record: Row<"tenants">) => Partial<Row<"tenants">>,
): Promise<Row<"tenants">> {
  const { hooks } = installation;
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", "there is no such tenant");
  if (hooks.onTenantUpdating === undefined && hooks.onTenantUpdated === undefined) return changeTenant(installation, tenantId, change);

  const before = toHookTenant(entry.record);
  const planned = toHookTenant({ ...entry.record, ...change(entry.record) });
  await callBeforeHook(installation, "onTenantUpdating", before, planned);
  if (hooks.onTenantUpdated === undefined) return changeTenant(installation, tenantId, change);
  // The operation is stored before the change, so that the hook is called even if the process crashes after the change.
  // The stored revision shows whether the change was made.
  const input = { tenants: [{ ...before }], revision: entry.record.revision };
  const operation = await beginOperation(installation, { kind: "update", tenantId, input });
  try {
    const row = await changeTenant(installation, tenantId, change);
    await callAfterHooks(installation, operation, "onTenantUpdated", [before, toHookTenant(row)]);
    return row;
  } catch (error) {
    await operation.finish("failed", describe(error));
    throw error;
  }
}
