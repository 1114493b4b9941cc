import type { TenantData } from "../data/tenant-data.ts";
import { PosternError } from "../errors.ts";
import type { Environment } from "./environment.ts";
import { checkStillThere } from "./users/still-there.ts";

/** Gives a user roles, in the tenant ('') or inside an organization. What they have already stays as it is. @throws {PosternError} for a role that does not exist, or a user who was removed meanwhile. */
export async function assignRoles(
  { clock }: Environment,
  data: TenantData,
  userId: string,
  organizationId: string,
  roleIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(roleIds)];
  const known = await data.roles.find({ where: { id: { in: ids } }, limit: 50 });
  const unknown = ids.find((id) => !known.some((role) => role.id === id));
  if (unknown !== undefined) throw new PosternError("not_found", `body: 'roles' names '${unknown}', which does not exist`);
  for (const roleId of ids) {
    await data.user_roles.insert([{ user_id: userId, organization_id: organizationId, role_id: roleId, created_at: clock.now() }]);
  }
  await checkStillThere(data, userId, () => removeRoles(data, userId, organizationId, ids));
}

/** Takes roles from a user. What they do not have is no error. */
export async function removeRoles(data: TenantData, userId: string, organizationId: string, roleIds: readonly string[]): Promise<void> {
  await data.user_roles.delete({ user_id: userId, organization_id: organizationId, role_id: { in: [...new Set(roleIds)] } });
}
