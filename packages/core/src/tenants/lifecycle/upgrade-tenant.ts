import { PosternError } from "../../errors.ts";
import { findTenant, type Installation } from "../installation.ts";
import { copyToTenant } from "../sync/copy-to-tenant.ts";
import { provision } from "./create-tenant.ts";
import { withLease } from "./lease.ts";
import type { LifecycleOperation } from "./operations.ts";
import { giveOrganization } from "./tenant-organization.ts";

/**
 * Updates a tenant to this version and to the current state of the control plane. Calls the host application's
 * `onProvision`, which can migrate the tenant's database, copies the shared resources again, and creates the
 * organization of a seeded tenant. Safe to repeat.
 */
export async function upgradeTenant(installation: Installation, tenantId: string, operation: LifecycleOperation): Promise<void> {
  const { collections } = installation;
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", "the tenant was deleted");
  await withLease(installation.host, collections.tenants, { id: tenantId, deleting_at: null }, async (lease) => {
    await provision(installation, tenantId, operation);
    lease.check();
    await operation.step("sync", () => copyToTenant(installation, tenantId));
    await operation.step("organization", () => giveOrganization(installation, tenantId));
  });
}
