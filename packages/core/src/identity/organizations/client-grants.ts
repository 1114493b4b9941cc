import type { DataContext } from "../../context.ts";
import { removeAll } from "../../store/remove-all.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import { PosternError } from "../../errors.ts";

/**
 * Assigns a client grant to an organization.
 * @returns `false` if it is assigned already.
 * @throws {PosternError} `not_found` if the grant or the organization was deleted in the meantime.
 */
export async function assignClientGrant(
  context: DataContext,
  organizationId: string,
  { id, client_id, audience }: Row<"client_grants">,
): Promise<boolean> {
  const { data } = context;
  const row = { organization_id: organizationId, grant_id: id, client_id, audience, created_at: context.now() };
  if (!(await data.organization_client_grants.insert([row]))) return false;
  // If the organization or the grant is being deleted, the deletion may miss the row that was just inserted. This check
  // then deletes the row.
  const [organizations, grants] = await Promise.all([data.organizations.count({ id: organizationId }), data.client_grants.count({ id })]);
  if (organizations > 0 && grants > 0) return true;
  await data.organization_client_grants.delete({ organization_id: organizationId, grant_id: id });
  throw new PosternError("not_found", `The ${grants > 0 ? "organization" : "client grant"} was deleted by another request.`);
}

/** Removes a client grant from every organization that it was assigned to. Idempotent. */
export function removeAssignedClientGrant(data: TenantData, grantId: string, limit: WorkLimit): Promise<void> {
  return removeAll(data.organization_client_grants, { grant_id: grantId }, "organization_id", limit);
}

/** Deletes a client grant and the rows that refer to it. Idempotent. */
export async function removeClientGrant(data: TenantData, id: string, limit: WorkLimit): Promise<void> {
  await removeAssignedClientGrant(data, id, limit);
  await data.client_grants.delete({ id });
}

/**
 * Deletes every client grant of a client or an API whose deletion has begun, and the rows that refer to them. The
 * grants are deleted first, so that no new assignment is created while the assignments are deleted. Idempotent.
 */
export async function removeClientGrants(
  data: TenantData,
  where: { readonly client_id: string } | { readonly audience: string },
  limit: WorkLimit,
): Promise<void> {
  await removeAll(data.client_grants, where, "id", limit);
  await removeAll(data.organization_client_grants, where, "grant_id", limit);
}
