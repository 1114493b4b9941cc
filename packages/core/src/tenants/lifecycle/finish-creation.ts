import type { HookTenant } from "../../adapters/tenant-hooks.ts";
import type { Installation } from "../installation.ts";
import { copyToTenant } from "../sync/copy-to-tenant.ts";
import type { Operation } from "./operations.ts";
import { callAfterHooks } from "./call-after-hooks.ts";

/**
 * What is left to do when a tenant is ready: the control plane may have changed what it shares, and its walk may have come by before the tenant was there to be seen; and the host's
 * hook is told. Where either fails the operation stays open, and `sweep` does it again. Never rejects: the tenant stands.
 */
export async function finishCreation(installation: Installation, operation: Operation, tenant: HookTenant): Promise<void> {
  try {
    await copyToTenant(installation, tenant.id);
  } catch (error) {
    installation.host.logger.log({ level: "error", event: "sync_failed", tenant_id: tenant.id, error });
    if (operation.id !== undefined) return;
  }
  await callAfterHooks(installation, operation, "onTenantCreated", [tenant]);
}
