import type { DataContext } from "../../context.ts";
import { findByIds } from "../../store/by-ids.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { checkStillExists } from "../access/check-still-exists.ts";

/**
 * Returns whether a user is a member of an organization. The result is never cached, so that a removed member is
 * rejected at the next request.
 */
export async function isMember(data: TenantData, organizationId: string, userId: string): Promise<boolean> {
  return (await data.organization_members.count({ organization_id: organizationId, user_id: userId })) > 0;
}

/**
 * Adds a member.
 * @returns `false` if the user is a member already.
 * @throws {PosternError} `not_found` if the user or the organization was deleted in the meantime.
 */
export async function addMember(context: DataContext, organizationId: string, userId: string): Promise<boolean> {
  const { data } = context;
  const added = await data.organization_members.insert([{ organization_id: organizationId, user_id: userId, created_at: context.now() }]);
  if (added) await checkStillExists(data, { userId, organizationId }, () => removeMember(data, organizationId, userId));
  return added;
}

/**
 * Removes a member and the member's roles in the organization. Deletes the roles before the membership, so that a user
 * who joins again starts without roles. Deletes them again afterwards, because roles may have been assigned in between.
 * Idempotent.
 */
export async function removeMember(data: TenantData, organizationId: string, userId: string): Promise<void> {
  const where = { organization_id: organizationId, user_id: userId };
  await data.user_roles.delete(where);
  await data.organization_members.delete(where);
  await data.user_roles.delete(where);
}

/** Returns the organizations that a user is a member of, sorted by name. */
export async function organizationsOf(data: TenantData, userId: string): Promise<readonly Row<"organizations">[]> {
  const memberships = await readAll(data.organization_members, schema.organization_members.key, { user_id: userId });
  const ids = memberships.map(({ organization_id: id }) => id);
  return (await findByIds(data.organizations, "id", ids)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
