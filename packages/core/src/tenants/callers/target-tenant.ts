import { PosternError } from "../../errors.ts";
import { checkReach } from "./access-token.ts";
import { findTenant, findTenantOfOrganization, type Installation, type TenantEntry } from "../installation.ts";
import type { TenantHint } from "../resolve.ts";
import { Tenant } from "../tenant.ts";

/** A Management API token, as far as it says which tenant it reaches. */
interface Reaching {
  /** The tenant that the token is of. */
  readonly tenant: Tenant;
  readonly organizationId: string | undefined;
}

/**
 * The tenant that a Management API token reaches: its own tenant, or the tenant of the organization that a token of the control plane names (spec sections 4.10 and 5).
 * With `requireOrganizationMatch: false`, a token of the control plane reaches every tenant that the request addresses, with the same scopes. A token of an organization never reaches
 * the control plane: its scopes there would be those of every tenant.
 * @throws {PosternError} `forbidden` for any other tenant, whether it exists or not. `not_found` if an addressed tenant that the token would reach does not exist.
 */
export async function resolveTargetTenant(
  installation: Installation,
  { tenant, organizationId }: Reaching,
  address: TenantHint,
): Promise<Tenant> {
  if (tenant.id !== installation.controlPlaneTenantId) {
    checkReach(tenant, address);
    return tenant;
  }
  const own = organizationId === undefined ? tenant : await tenantOfToken(installation, tenant, organizationId, address);
  const { tenantId = own.id } = address;
  if (tenantId === own.id || tenantId === tenant.id || installation.requireOrganizationMatch) {
    checkReach(own, address);
    return own;
  }
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", "there is no such tenant");
  return childOf(installation, tenant, entry, address);
}

/** The tenant of the organization that a token of the control plane names. */
async function tenantOfToken(
  installation: Installation,
  controlPlane: Tenant,
  organizationId: string,
  address: TenantHint,
): Promise<Tenant> {
  const entry = await findTenantOfOrganization(installation, organizationId);
  if (entry === undefined)
    throw new PosternError("forbidden", "the organization of the token is no tenant's: it does not reach the control plane");
  return childOf(installation, controlPlane, entry, address);
}

/** A tenant that the control plane works in. What is sent from there has the addresses of that tenant, and none of a host of the control plane's own. */
function childOf(installation: Installation, { requestInfo }: Tenant, entry: TenantEntry, address: TenantHint): Tenant {
  const urls = address.tenantId === entry.record.id ? address.urls : installation.urls;
  return new Tenant(installation, entry, urls, requestInfo);
}
