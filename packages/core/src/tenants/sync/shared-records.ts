import { readAllByIds } from "../../store/by-ids.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { managementIdentifier } from "../audience.ts";
import { isNeverInherited } from "../inherit/never-inherited.ts";

/** Which kinds of records the control plane shares with the other tenants. */
export interface SharedKinds {
  readonly resourceServers: boolean;
  readonly roles: boolean;
}

/** What the control plane shares with the other tenants, as it is stored now. */
export interface SharedRecords {
  /** APIs, whether they are copied or not: what roles give refers to them. */
  readonly apis: readonly Row<"resource_servers">[];
  readonly roles: readonly Row<"roles">[];
  /** What these roles give. */
  readonly permissions: readonly Row<"role_permissions">[];
  /** The id of the control plane's own record of the Management API. */
  readonly managementApiId: string | undefined;
}

/** Reads the {@link SharedRecords}. @param data the control plane's. */
export async function readShared(data: TenantData, kinds: Pick<SharedKinds, "roles">): Promise<SharedRecords> {
  const [apis, roles, managementApiId] = await Promise.all([
    readAll(data.resource_servers, schema.resource_servers.key, {}),
    kinds.roles ? readAll(data.roles, schema.roles.key, {}) : [],
    findManagementApi(data),
  ]);
  // The role of administrators is the installation's: a copy in each of thousands of tenants would help nobody.
  const shared = roles.filter((role) => !role.is_system && !isNeverInherited(role));
  return {
    apis: apis.filter((row) => !row.is_system && !isNeverInherited(row.settings)),
    roles: shared,
    permissions: await readPermissions(data, shared),
    managementApiId,
  };
}

/** What roles give. */
export function readPermissions(data: TenantData, roles: readonly Pick<Row<"roles">, "id">[]): Promise<readonly Row<"role_permissions">[]> {
  const ids = roles.map(({ id }) => id);
  return readAllByIds(data.role_permissions, schema.role_permissions.key, "role_id", ids);
}

/** The id of a tenant's own record of the Management API. */
export async function findManagementApi(data: TenantData): Promise<string | undefined> {
  const [row] = await data.resource_servers.find({ where: { identifier: managementIdentifier }, limit: 1 });
  return row?.id;
}
