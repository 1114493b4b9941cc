import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { WorkLimit } from "../../store/work-limit.ts";

/** Takes a role whose own removal was begun from everybody who has it. Repeatable. */
export async function removeRoleChildren(data: TenantData, { id }: Row<"roles">, limit: WorkLimit): Promise<void> {
  await removeAll(data.role_permissions, { role_id: id }, "permission_name", limit);
  await removeAll(data.user_roles, { role_id: id }, "user_id", limit);
}

/** Removes a role and what refers to it. Repeatable. @param now when its removal begins, in milliseconds since 1970. @throws when the limit is reached. */
export async function removeRole(data: TenantData, role: Row<"roles">, now: number, limit = new WorkLimit()): Promise<void> {
  // From here on every read treats it as absent, whatever happens to this process.
  await data.roles.update({ id: role.id }, { set: { deleting_at: now } });
  await removeRoleChildren(data, role, limit);
  await data.roles.delete({ id: role.id });
}
