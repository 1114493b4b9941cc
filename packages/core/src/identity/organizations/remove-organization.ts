import { removeAll } from "../../store/remove-all.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { WorkLimit } from "../../store/work-limit.ts";

/** Deletes everything that belongs to an organization. The members stay users of the tenant. Idempotent. */
export async function removeOrganizationChildren(data: TenantData, id: string, limit: WorkLimit): Promise<void> {
  const where = { organization_id: id };
  await removeAll(data.invitations, where, "id", limit);
  await removeAll(data.user_roles, where, "user_id", limit);
  await removeAll(data.organization_members, where, "user_id", limit);
  await removeAll(data.organization_connections, where, "connection_id", limit);
  await removeAll(data.organization_client_grants, where, "grant_id", limit);
}

/**
 * Deletes an organization and everything that belongs to it. Idempotent.
 * @param now when the deletion begins, in milliseconds since 1970.
 */
export async function removeOrganization(data: TenantData, id: string, now: number): Promise<void> {
  // From this write on, every read treats the organization as absent, even if this process crashes.
  await data.organizations.update({ id }, { set: { deleting_at: now } });
  await removeOrganizationChildren(data, id, new WorkLimit());
  await data.organizations.delete({ id });
}
