import type * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import type { userPermissionSchema } from "../../model/apis/roles.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { findRoles } from "../apis/held-roles.ts";
import { presentPermissions } from "../apis/permissions.ts";

/**
 * Returns the permissions that a user has in the tenant, directly or by roles, each once with all its sources. Roles in
 * organizations are not included.
 */
export async function permissionsWithSources(
  tenant: RequestTenant,
  userId: string,
): Promise<readonly z.infer<typeof userPermissionSchema>[]> {
  const direct = await readAll(tenant.data.user_permissions, schema.user_permissions.key, { user_id: userId });
  const held = await findRoles(
    tenant,
    await readAll(tenant.data.user_roles, schema.user_roles.key, { user_id: userId, organization_id: "" }),
  );
  const given = await Promise.all(held.map(async (role) => ({ role, permissions: await tenant.rolePermissions(role.id) })));

  const bySource = [
    ...(await presentPermissions(tenant, direct)).map((permission) => ({
      permission,
      source: { source_id: "", source_name: "", source_type: "DIRECT" } as const,
    })),
    ...(
      await Promise.all(
        given.map(async ({ role, permissions: list }) =>
          (await presentPermissions(tenant, list)).map((permission) => ({
            permission,
            source: { source_id: role.id, source_name: role.name, source_type: "ROLE" } as const,
          })),
        ),
      )
    ).flat(),
  ];
  const merged = new Map<string, z.infer<typeof userPermissionSchema>>();
  for (const { permission, source } of bySource) {
    const name = JSON.stringify([permission.resource_server_identifier, permission.permission_name]);
    merged.set(name, { ...permission, sources: [...(merged.get(name)?.sources ?? []), source] });
  }
  return [...merged.values()];
}
