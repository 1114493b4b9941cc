import type { Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { changeTenant, findTenant, type Installation } from "../installation.ts";
import { callBeforeHook, toHookTenant } from "./hooks.ts";
import { beginOperation, describe } from "./operations.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/**
 * Changes a tenant's record, with the hooks that come before and after.
 * @param change gives the fields to set; asked again where another change came first.
 * @throws {PosternError} `not_found`, `conflict`, `invalid_request` where a hook refuses it.
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
  // On record before the change, so that a process that is lost after it leaves word for the hook. By the revision it is seen whether there was a change.
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
