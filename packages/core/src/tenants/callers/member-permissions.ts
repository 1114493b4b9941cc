import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import type { JsonObject } from "../../store/value.ts";
import { isMember } from "../../identity/organizations/members.ts";
import type { MemberAccess } from "../installation.ts";
import type { Tenant } from "../tenant.ts";

const Stored = z.object({ permissions: z.array(z.string()).default([]), roles: z.array(z.string()).default([]) });

/** Reads what every member of a tenant's organization holds in that tenant. */
export function readMemberAccess(stored: JsonObject): MemberAccess {
  return Stored.parse(stored);
}

/**
 * What a member of a tenant's organization may do in that tenant with the Management API: what every member may, and what their roles inside the organization give.
 * What they may do on the control plane itself does not count: nobody rises above what is given there. Nothing for whoever is no member any more.
 */
export async function memberPermissions(
  controlPlane: Tenant,
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
