import type { z } from "zod";
import { PosternError } from "../../errors.ts";
import type { permissionSchema, permissionListSchema } from "../../model/apis/roles.ts";
import { publicIdentifier } from "../../tenants/audience.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/** A stored permission. It refers to the API by its ID, so it stays valid if the API's identifier changes. */
export interface StoredPermission {
  readonly resource_server_id: string;
  readonly permission_name: string;
}

/**
 * Converts the permissions in a request body to stored permissions.
 * @throws {PosternError} `not_found` that names the missing API or permission.
 */
export async function readPermissionBody(
  tenant: RequestTenant,
  { permissions }: z.output<typeof permissionListSchema>,
): Promise<readonly StoredPermission[]> {
  const stored = new Map<string, StoredPermission>();
  for (const { resource_server_identifier: identifier, permission_name: name } of permissions) {
    const api = await tenant.api(identifier);
    if (api === undefined) throw new PosternError("not_found", `body: 'permissions' names the API '${identifier}', which does not exist`);
    if (!(api.settings.scopes ?? []).some(({ value }) => value === name)) {
      throw new PosternError("not_found", `body: 'permissions' names '${name}', which the API '${identifier}' does not have`);
    }
    stored.set(`${api.record.id} ${name}`, { resource_server_id: api.record.id, permission_name: name });
  }
  return [...stored.values()];
}

/** Converts stored permissions to the response format. A permission whose API was deleted is omitted. */
export async function presentPermissions(
  tenant: RequestTenant,
  stored: readonly StoredPermission[],
): Promise<readonly z.infer<typeof permissionSchema>[]> {
  const apis = await tenant.apis([...new Set(stored.map(({ resource_server_id: id }) => id))]);
  return stored.flatMap(({ resource_server_id: id, permission_name: name }) => {
    const api = apis.find(({ record }) => record.id === id);
    if (api === undefined) return [];
    return {
      resource_server_identifier: publicIdentifier(api.record.identifier, tenant.urls.issuer),
      resource_server_name: api.record.name,
      permission_name: name,
      description: (api.settings.scopes ?? []).find(({ value }) => value === name)?.description ?? "",
    };
  });
}
