import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { isMember } from "../../identity/organizations/members.ts";
import type { MemberAccess } from "../installation.ts";
import type { RequestTenant } from "../tenant.ts";

const storedSchema = z.object({ permissions: z.array(z.string()).default([]), roles: z.array(z.string()).default([]) });

/** Parses the stored permissions and roles that every member of a tenant's organization has. */
export function readMemberAccess(stored: JsonObject): MemberAccess {
  return storedSchema.parse(stored);
}

/**
 * Returns the Management API permissions that a member of a tenant's organization has in that tenant: the permissions
 * and roles that every member has, and the member's roles inside the organization. The user's permissions on the
 * control plane itself do not count, so that no user gains more than was granted for the tenant. Empty if the user is
 * no longer a member.
 */
export async function memberPermissions(
  controlPlane: RequestTenant,
  { userId, organizationId }: { readonly userId: string; readonly organizationId: string },
  access: JsonObject,
  apiId: string,
): Promise<ReadonlySet<string>> {
  const { permissions, roles } = readMemberAccess(access);
  const { data } = controlPlane;
  const [member, own] = await Promise.all([
    isMember(data, organizationId, userId),
    readAll(data.user_roles, schema.user_roles.key, { user_id: userId, organization_id: organizationId }),
  ]);
  if (!member) return new Set();
  const ids = new Set([...roles, ...own.map(({ role_id: id }) => id)]);
  const given = await Promise.all([...ids].map((id) => controlPlane.rolePermissions(id)));
  return new Set([
    ...permissions,
    ...given.flat().flatMap((permission) => (permission.resource_server_id === apiId ? [permission.permission_name] : [])),
  ]);
}
