import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";

/** Takes a role whose own removal was begun from everybody who has it. Repeatable. */
export async function removeRoleChildren(data: TenantData, { id }: Row<"roles">): Promise<void> {
  await data.role_permissions.delete({ role_id: id });
  await data.user_roles.delete({ role_id: id });
}

/** Removes a role and what refers to it. Repeatable. @param now when its removal begins. */
export async function removeRole(data: TenantData, role: Row<"roles">, now: number): Promise<void> {
  // From here on every read treats it as absent, whatever happens to this process.
  await data.roles.update({ id: role.id }, { set: { deleting_at: now } });
  await removeRoleChildren(data, role);
  await data.roles.delete({ id: role.id });
}
