import type { HookTenant } from "../../adapters/tenant-hooks.ts";
import type { Installation } from "../installation.ts";
import { copyToTenant } from "../sync/copy-to-tenant.ts";
import type { LifecycleOperation } from "./operations.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/**
 * Completes the creation of a tenant after it became ready. Copies the control plane's shared resources again, because
 * a concurrent sync could not find the tenant yet, and then calls the hook `onTenantCreated`. If either fails, the
 * operation stays open and `sweep` tries again. Never rejects, because the tenant exists.
 */
export async function finishCreation(installation: Installation, operation: LifecycleOperation, tenant: HookTenant): Promise<void> {
  try {
    await copyToTenant(installation, tenant.id);
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sync_failed", tenant_id: tenant.id, error });
    if (operation.id !== undefined) return;
  }
  await callAfterHooks(installation, operation, "onTenantCreated", [tenant]);
}
