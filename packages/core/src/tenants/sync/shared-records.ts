import { findOne } from "../../store/find-one.ts";
import { readAllByIds } from "../../store/by-ids.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { managementIdentifier } from "../audience.ts";
import { isNeverInherited } from "../inherit/never-inherited.ts";

/** Which kinds of resources the control plane shares with the other tenants. */
export interface SharedKinds {
  readonly resourceServers: boolean;
  readonly roles: boolean;
}

/** The rows that the control plane shares with the other tenants. */
export interface SharedRecords {
  /** The shared APIs, even if APIs are not copied, because permissions of roles refer to them. */
  readonly apis: readonly Row<"resource_servers">[];
  readonly roles: readonly Row<"roles">[];
  /** The permissions of these roles. */
  readonly permissions: readonly Row<"role_permissions">[];
  /** The id of the control plane's row for the Management API. */
  readonly managementApiId: string | undefined;
}

/** Reads the {@link SharedRecords}. @param data the data of the control plane. */
export async function readShared(data: TenantData, kinds: Pick<SharedKinds, "roles">): Promise<SharedRecords> {
  const [apis, roles, managementApiId] = await Promise.all([
    readAll(data.resource_servers, schema.resource_servers.key, {}),
    kinds.roles ? readAll(data.roles, schema.roles.key, {}) : [],
    findManagementApi(data),
  ]);
  // System roles, such as the administrator role, have no use in other tenants.
  const shared = roles.filter((role) => !role.is_system && !isNeverInherited(role));
  return {
    apis: apis.filter((row) => !row.is_system && !isNeverInherited(row.settings)),
    roles: shared,
    permissions: await readPermissions(data, shared),
    managementApiId,
  };
}

/** Reads the permissions of roles. */
export function readPermissions(data: TenantData, roles: readonly Pick<Row<"roles">, "id">[]): Promise<readonly Row<"role_permissions">[]> {
  const ids = roles.map(({ id }) => id);
  return readAllByIds(data.role_permissions, schema.role_permissions.key, "role_id", ids);
}

/** Returns the id of a tenant's row for the Management API. */
export async function findManagementApi(data: TenantData): Promise<string | undefined> {
  const row = await findOne(data.resource_servers, { identifier: managementIdentifier });
  return row?.id;
}
