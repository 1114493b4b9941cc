import { readAll } from "../store/read-all.ts";
import { schema } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";

/** Reads the permissions of a role. */
type RolePermissions = (roleId: string) => Promise<readonly { readonly resource_server_id: string; readonly permission_name: string }[]>;

/**
 * Returns the permissions that a user has for an API: granted directly, through roles in the tenant, and through roles
 * in the organization if one is given. Roles in an organization have no effect outside it.
 */
export async function permissionsOf(
  data: TenantData,
  rolePermissions: RolePermissions,
  principal: { readonly userId: string; readonly organizationId?: string | undefined },
  apiId: string,
): Promise<ReadonlySet<string>> {
  const { userId, organizationId } = principal;
  const [direct, roles] = await Promise.all([
    readAll(data.user_permissions, schema.user_permissions.key, { user_id: userId, resource_server_id: apiId }),
    readAll(data.user_roles, schema.user_roles.key, {
      user_id: userId,
      organization_id: { in: ["", ...(organizationId === undefined ? [] : [organizationId])] },
    }),
  ]);
  const given = await Promise.all([...new Set(roles.map(({ role_id: id }) => id))].map(rolePermissions));
  return new Set([
    ...direct.map(({ permission_name: name }) => name),
    ...given.flat().flatMap((permission) => (permission.resource_server_id === apiId ? [permission.permission_name] : [])),
  ]);
}
