import { PosternError } from "../../errors.ts";
import { findTenant, forgetTenant, type Installation } from "../installation.ts";
import { clearTenant } from "./clear-tenant.ts";
import { callBeforeHook, toHookTenant } from "./hooks.ts";
import { withLease } from "./lease.ts";
import { beginOperation, describe } from "./operations.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/**
 * Deletes a tenant with all its data. As soon as the deletion begins, requests no longer find the tenant. `sweep`
 * deletes data that cannot be deleted at once, and data that a crashed process left.
 * @throws {PosternError} `not_found`, `forbidden` for the control plane, `conflict` if another operation is in
 * progress, `invalid_request` if a hook rejects the deletion.
 */
export async function removeTenant(installation: Installation, tenantId: string): Promise<void> {
  const { collections } = installation;
  const missing = (): PosternError => new PosternError("not_found", "there is no such tenant");
  if (tenantId === installation.controlPlaneTenantId) throw new PosternError("forbidden", "the control plane cannot be deleted");
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw missing();
  const tenant = toHookTenant(entry.record);
  await callBeforeHook(installation, "onTenantDeleting", tenant);
  const { created_at } = entry.record;
  await withLease(installation.host, collections.tenants, { id: tenantId, created_at }, async (lease) => {
    const operation = await beginOperation(installation, { kind: "deprovision", tenantId, input: { tenants: [{ ...tenant }] } });
    const begun = await collections.tenants.update(
      { id: tenantId, created_at, deleting_at: null, ready_at: { exists: true } },
      { set: { deleting_at: installation.now() } },
    );
    forgetTenant(installation, tenantId);
    if (begun !== 1) {
      await operation.finish("failed", "the tenant was deleted by another call");
      throw missing();
    }
    try {
      await clearTenant(installation, entry.record, operation, lease);
    } catch (error) {
      // The tenant is deleted for all callers. Only the operator needs to know that some data is not deleted yet.
      installation.host.logger.log({ level: "error", event: "tenant_not_cleared", tenant_id: tenantId, error });
      await operation.report({ name: "removal", status: "failed", detail: { error: describe(error) } });
      return;
    }
    await callAfterHooks(installation, operation, "onTenantDeleted", [tenant]);
  });
}
