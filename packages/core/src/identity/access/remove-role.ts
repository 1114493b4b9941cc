import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { WorkLimit } from "../../store/work-limit.ts";

/** Removes a role whose deletion has begun from every user, and deletes its permissions. Idempotent. */
export async function removeRoleChildren(data: TenantData, { id }: Row<"roles">, limit: WorkLimit): Promise<void> {
  await removeAll(data.role_permissions, { role_id: id }, "permission_name", limit);
  await removeAll(data.user_roles, { role_id: id }, "user_id", limit);
}

/**
 * Deletes a role and the rows that refer to it. Idempotent.
 * @param now when the deletion begins, in milliseconds since 1970.
 * @throws when `limit` is reached.
 */
export async function removeRole(data: TenantData, role: Row<"roles">, now: number, limit = new WorkLimit()): Promise<void> {
  // From this write on, every read treats the role as absent, even if this process crashes.
  await data.roles.update({ id: role.id }, { set: { deleting_at: now } });
  await removeRoleChildren(data, role, limit);
  await data.roles.delete({ id: role.id });
}
