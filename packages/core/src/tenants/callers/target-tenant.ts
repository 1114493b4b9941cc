import { PosternError } from "../../errors.ts";
import { checkTenantAccess } from "./access-token.ts";
import { findTenant, findTenantOfOrganization, type Installation, type TenantEntry } from "../installation.ts";
import type { TenantHint } from "../resolve.ts";
import { RequestTenant } from "../tenant.ts";

/** The parts of a Management API token that decide which tenant it can access. */
interface TokenScope {
  /** The tenant that issued the token. */
  readonly tenant: RequestTenant;
  readonly organizationId: string | undefined;
}

/**
 * Returns the tenant that a Management API token can access: the tenant that issued it, or the tenant of the
 * organization in a token of the control plane (docs/tenants.md). With `requireOrganizationMatch: false`, a
 * token of the control plane can access any tenant that the request addresses, with the same scopes. A token with an
 * organization can never access the control plane, because scopes there apply to every tenant.
 * @throws {PosternError} `forbidden` for any other tenant, whether it exists or not. `not_found` if the token could
 * access the addressed tenant but it does not exist.
 */
export async function resolveTargetTenant(
  installation: Installation,
  { tenant, organizationId }: TokenScope,
  address: TenantHint,
): Promise<RequestTenant> {
  if (tenant.id !== installation.controlPlaneTenantId) {
    checkTenantAccess(tenant, address);
    return tenant;
  }
  const own = organizationId === undefined ? tenant : await tenantOfToken(installation, tenant, organizationId, address);
  const { tenantId = own.id } = address;
  if (tenantId === own.id || tenantId === tenant.id || installation.requireOrganizationMatch) {
    checkTenantAccess(own, address);
    return own;
  }
  const entry = await findTenant(installation, tenantId);
  if (entry === undefined) throw new PosternError("not_found", "there is no such tenant");
  return childOf(installation, tenant, entry, address);
}

/** Returns the tenant that the organization in a control plane token represents. */
async function tenantOfToken(
  installation: Installation,
  controlPlane: RequestTenant,
  organizationId: string,
  address: TenantHint,
): Promise<RequestTenant> {
  const entry = await findTenantOfOrganization(installation, organizationId);
  if (entry === undefined)
    throw new PosternError(
      "forbidden",
      "the organization in the token does not represent a tenant, and a token with an organization cannot access the control plane",
    );
  return childOf(installation, controlPlane, entry, address);
}

/**
 * Creates a {@link RequestTenant} for a child tenant that a caller of the control plane accesses. Messages that the request
 * sends contain URLs of the child tenant or of the configured issuer, never of a custom host of the control plane.
 */
function childOf(installation: Installation, { requestInfo }: RequestTenant, entry: TenantEntry, address: TenantHint): RequestTenant {
  const urls = address.tenantId === entry.record.id ? address.urls : installation.urls;
  return new RequestTenant(installation, entry, urls, requestInfo);
}
