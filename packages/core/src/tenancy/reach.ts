import { PosternError } from "../errors.ts";
import { checkReach } from "./access-token.ts";
import { findTenant, findTenantOfOrganization, type Installation, type TenantEntry } from "./installation.ts";
import type { Addressed } from "./resolve.ts";
import { Tenant } from "./tenant.ts";

/** A Management API token, as far as it says which tenant it reaches. */
interface Reaching {
  /** The tenant that the token is of. */
  readonly tenant: Tenant;
  readonly organizationId: string | undefined;
}

/**
 * The tenant that a Management API token reaches: its own, and for a token of the control plane that names an organization, the tenant whose organization that is (spec sections 4.10 and 5).
 * With `requireOrganizationMatch: false` a token of the control plane without one reaches the tenant that is addressed.
 * @throws {PosternError} `forbidden` for any other tenant that is addressed, whether that one exists or not.
 */
export async function reachedTenant(installation: Installation, { tenant, organizationId }: Reaching, address: Addressed): Promise<Tenant> {
  if (tenant.id !== installation.controlPlaneTenantId) {
    checkReach(tenant, address);
    return tenant;
  }
  if (organizationId !== undefined) {
    const entry = await findTenantOfOrganization(installation, organizationId);
    if (entry === undefined)
      throw new PosternError("forbidden", "the organization of the token is no tenant's: it does not reach the control plane");
    const reached = childOf(installation, tenant, entry, address);
    checkReach(reached, address);
    return reached;
  }
  const { tenantId = tenant.id } = address;
  if (tenantId === tenant.id || installation.requireOrganizationMatch) {
    checkReach(tenant, address);
    return tenant;
  }
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", "there is no such tenant");
  return childOf(installation, tenant, entry, address);
}

/** A tenant that the control plane works in. What is sent from there has the addresses of that tenant, and none of a host of the control plane's own. */
function childOf(installation: Installation, { requestInfo }: Tenant, entry: TenantEntry, address: Addressed): Tenant {
  const urls = address.tenantId === entry.record.id ? address.urls : installation.urls;
  return new Tenant(installation, entry, urls, requestInfo);
}
