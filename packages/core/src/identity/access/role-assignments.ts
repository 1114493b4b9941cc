import type { DataContext } from "../../context.ts";
import { findByIds } from "../../store/by-ids.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { checkStillExists } from "./check-still-exists.ts";

/**
 * Assigns roles to a user, in the tenant ('') or in an organization. Existing assignments stay.
 * @throws {PosternError} if a role does not exist, or if the user, the organization or a role was deleted in the
 * meantime.
 */
export async function assignRoles(context: DataContext, userId: string, organizationId: string, roleIds: readonly string[]): Promise<void> {
  const { data } = context;
  const ids = [...new Set(roleIds)];
  await checkRoles(data, ids);
  for (const roleId of ids) {
    await data.user_roles.insert([{ user_id: userId, organization_id: organizationId, role_id: roleId, created_at: context.now() }]);
  }
  await checkStillExists(data, { userId, organizationId }, () => removeRoles(data, userId, organizationId, ids));
  // Checks the roles again, because an assignment that is inserted after its role was deleted would never be removed.
  await checkRoles(data, ids, (missingIds) => removeRoles(data, userId, organizationId, missingIds));
}

/** Requires that all roles exist. @throws {PosternError} that names a missing role. */
async function checkRoles(
  data: TenantData,
  ids: readonly string[],
  undoWrite?: (missingIds: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const known = await findByIds(data.roles, "id", ids);
  const missing = ids.filter((id) => !known.some((role) => role.id === id));
  const [unknown] = missing;
  if (unknown === undefined) return;
  await undoWrite?.(missing);
  throw new PosternError("not_found", `body: 'roles' names '${unknown}', which does not exist`);
}

/** Removes roles from a user. A role that the user does not have is not an error. */
export async function removeRoles(data: TenantData, userId: string, organizationId: string, roleIds: readonly string[]): Promise<void> {
  await data.user_roles.delete({ user_id: userId, organization_id: organizationId, role_id: { in: [...new Set(roleIds)] } });
}
