import { dataContext, type ServiceContext } from "../../context.ts";
import { UnavailableError } from "../../store/conflicts.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { removeApi } from "../../identity/access/remove-api.ts";
import { removeRole } from "../../identity/access/remove-role.ts";
import { findTenant, type Installation } from "../installation.ts";
import { copyApis } from "./copy-apis.ts";
import { copyPermissions } from "./copy-permissions.ts";
import { copyRoles } from "./copy-roles.ts";
import { currentCopies, readCopies } from "./copies.ts";
import { readShared } from "./shared-records.ts";

/** What of the control plane a tenant has no copy of, because it has a record of its own by that name. */
export interface SkippedCopy {
  readonly kind: "api" | "role";
  /** The role's name, or the API's identifier. */
  readonly name: string;
}

/** What it takes of an installation to copy. */
export interface Copying extends ServiceContext, Pick<Installation, "cache" | "collections" | "controlPlaneTenantId" | "scope" | "sync"> {}

/** How often what was written is looked at again, where others write or the control plane changes meanwhile. */
const rounds = 100;

/**
 * Makes the copies in one tenant equal to what the control plane shares now. What is the tenant's own stays as it is, and keeps its name.
 *
 * It ends when it has read both sides and found nothing to write. So of several that run side by side, with older and newer pictures of the control plane, whichever writes
 * last looks once more; and one that is lost on the way is made good by the next.
 * @throws {UnavailableError} where others write all the while.
 */
export async function copyToTenant(installation: Copying, tenantId: string): Promise<readonly SkippedCopy[]> {
  const { controlPlaneTenantId: source, sync } = installation;
  if (source === undefined || source === tenantId || !(sync.resourceServers || sync.roles)) return [];
  // A control plane that is not there shares nothing, and takes nothing back.
  if ((await findTenant(installation, source)) === undefined) return [];
  const data = installation.scope(tenantId);
  const context = dataContext(installation, data);
  for (let round = 0; round < rounds; round++) {
    const shared = await readShared(installation.scope(source), sync);
    const [apis, roles] = await Promise.all([
      sync.resourceServers ? copyApis(context, shared.apis) : currentCopies(data.resource_servers),
      sync.roles ? copyRoles(context, shared.roles) : currentCopies(data.roles),
    ]);
    const known = { copies: apis.copies, lent: !sync.resourceServers };
    // What roles give refers to copies that are there.
    const again = apis.again || roles.again || (sync.roles && (await copyPermissions(context, shared, roles.copies, known)));
    if (!again) {
      return [
        ...apis.leftOut.map((name) => ({ kind: "api", name }) as const),
        ...roles.leftOut.map((name) => ({ kind: "role", name }) as const),
      ];
    }
    if (!(await isThere(installation, tenantId))) {
      await removeCopies(installation, data);
      return [];
    }
  }
  throw new UnavailableError(`the copies of tenant '${tenantId}' were written by others all the while`);
}

/** Whether a tenant is there, or being made: as it is stored, for a removal may have begun a moment ago. */
async function isThere({ collections }: Copying, tenantId: string): Promise<boolean> {
  return (await collections.tenants.count({ id: tenantId, deleting_at: null })) > 0;
}

/** Takes back what was written beside the removal of a tenant, which may have passed that place already. */
async function removeCopies(installation: Copying, data: TenantData): Promise<void> {
  const now = installation.now();
  for (const role of (await readCopies(data.roles)).values()) await removeRole(data, role, now);
  for (const api of (await readCopies(data.resource_servers)).values()) await removeApi(data, api, now);
}
