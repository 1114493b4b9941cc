import type { DataContext } from "../../context.ts";
import { findByIds } from "../../store/by-ids.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { checkStillExists } from "./check-still-exists.ts";

/** Gives a user roles, in the tenant ('') or inside an organization. What they have already stays as it is. @throws {PosternError} for a role that does not exist, and for anything of it that was removed meanwhile. */
export async function assignRoles(context: DataContext, userId: string, organizationId: string, roleIds: readonly string[]): Promise<void> {
  const { data } = context;
  const ids = [...new Set(roleIds)];
  await checkRoles(data, ids);
  for (const roleId of ids) {
    await data.user_roles.insert([{ user_id: userId, organization_id: organizationId, role_id: roleId, created_at: context.now() }]);
  }
  await checkStillExists(data, { userId, organizationId }, () => removeRoles(data, userId, organizationId, ids));
  // And the same for a role: what it had been taken from by then would have it for ever.
  await checkRoles(data, ids, (gone) => removeRoles(data, userId, organizationId, gone));
}

/** @throws {PosternError} that names a role which does not exist. */
async function checkRoles(
  data: TenantData,
  ids: readonly string[],
  takeBack?: (gone: readonly string[]) => Promise<unknown>,
): Promise<void> {
  const known = await findByIds(data.roles, "id", ids);
  const missing = ids.filter((id) => !known.some((role) => role.id === id));
  const [unknown] = missing;
  if (unknown === undefined) return;
  await takeBack?.(missing);
  throw new PosternError("not_found", `body: 'roles' names '${unknown}', which does not exist`);
}

/** Takes roles from a user. What they do not have is no error. */
export async function removeRoles(data: TenantData, userId: string, organizationId: string, roleIds: readonly string[]): Promise<void> {
  await data.user_roles.delete({ user_id: userId, organization_id: organizationId, role_id: { in: [...new Set(roleIds)] } });
}
