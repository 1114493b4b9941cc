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

/**
 * A resource of the control plane that is not copied to a tenant, because one of the tenant's own resources has the
 * same name.
 */
interface SkippedCopy {
  readonly kind: "api" | "role";
  /** The role's name, or the API's identifier. */
  readonly name: string;
}

/** The parts of an {@link Installation} that copying uses. */
export interface Copying extends ServiceContext, Pick<Installation, "cache" | "collections" | "controlPlaneTenantId" | "scope" | "sync"> {}

/** Maximum number of rounds. A round repeats the copying after the previous one wrote something. */
const rounds = 100;

/**
 * Makes the copies in one tenant equal to the resources that the control plane shares now. The tenant's own resources
 * stay unchanged and keep their names.
 *
 * Works in rounds. Each round reads the control plane and the tenant, and writes the differences. A round that finds
 * none is the last. Every process that wrote reads both again afterwards: if several processes copy in parallel, the
 * last one to write corrects what another wrote from outdated data. If a process crashes, the next call completes its
 * work.
 * @throws {UnavailableError} if concurrent writes prevent it from finishing.
 */
export async function copyToTenant(installation: Copying, tenantId: string): Promise<readonly SkippedCopy[]> {
  const { controlPlaneTenantId: source, sync } = installation;
  if (source === undefined || source === tenantId || !(sync.resourceServers || sync.roles)) return [];
  // A control plane that does not exist shares nothing, and existing copies stay.
  if ((await findTenant(installation, source)) === undefined) return [];
  const data = installation.scope(tenantId);
  const context = dataContext(installation, data);
  for (let round = 0; round < rounds; round++) {
    const shared = await readShared(installation.scope(source), sync);
    const [apis, roles] = await Promise.all([
      sync.resourceServers ? copyApis(context, shared.apis) : currentCopies(data.resource_servers),
      sync.roles ? copyRoles(context, shared.roles) : currentCopies(data.roles),
    ]);
    const known = { copies: apis.copies, areInherited: !sync.resourceServers };
    // Permissions of roles refer to copied APIs.
    const again = apis.again || roles.again || (sync.roles && (await copyPermissions(context, shared, roles.copies, known)));
    if (!again) {
      return [
        ...apis.skippedNames.map((name) => ({ kind: "api", name }) as const),
        ...roles.skippedNames.map((name) => ({ kind: "role", name }) as const),
      ];
    }
    if (!(await exists(installation, tenantId))) {
      await removeCopies(installation, data);
      return [];
    }
  }
  throw new UnavailableError(`the shared resources could not be copied to tenant '${tenantId}' because of concurrent writes`);
}

/**
 * Whether a tenant exists or is being created. Reads the data store and not the cache, because a deletion may have just
 * begun.
 */
async function exists({ collections }: Copying, tenantId: string): Promise<boolean> {
  return (await collections.tenants.count({ id: tenantId, deleting_at: null })) > 0;
}

/**
 * Deletes the copies that were written while the tenant was being deleted. The deletion of the tenant may have cleared
 * these collections before the copies were written.
 */
async function removeCopies(installation: Copying, data: TenantData): Promise<void> {
  const now = installation.now();
  for (const role of (await readCopies(data.roles)).values()) await removeRole(data, role, now);
  for (const api of (await readCopies(data.resource_servers)).values()) await removeApi(data, api, now);
}
