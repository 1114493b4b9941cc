import { findByIds } from "../../../store/by-ids.ts";
import { readAll } from "../../../store/read-all.ts";
import { schema, type Row } from "../../../store/schema.ts";
import { publicIdentifier } from "../../../tenants/audience.ts";
import type { RequestTenant } from "../../../tenants/tenant.ts";
import { toTimestamp } from "../../../model/fields.ts";

/** A permission, with the identifier of its API. */
interface OwnPermission {
  readonly api: string;
  readonly permission: string;
}

/** A role of the user, with its permissions. */
interface OwnRole {
  readonly name: string;
  readonly description: string;
  readonly assigned_at: string;
  readonly permissions: readonly OwnPermission[];
}

/** The roles and permissions of a user, for the download of their data. */
interface OwnAccess {
  /** The permissions that the user has without a role. */
  readonly permissions: readonly (OwnPermission & { readonly assigned_at: string })[];
  /** Returns the roles that the user has in an organization, or in the whole tenant (''). */
  rolesIn(organizationId: string): readonly OwnRole[];
}

/** Reads the roles and permissions of a user, in the tenant and in all organizations. */
export async function findOwnAccess(tenant: RequestTenant, userId: string): Promise<OwnAccess> {
  const { data } = tenant;
  const [assigned, direct] = await Promise.all([
    readAll(data.user_roles, schema.user_roles.key, { user_id: userId }),
    readAll(data.user_permissions, schema.user_permissions.key, { user_id: userId }),
  ]);
  const roles = await findByIds(
    data.roles,
    "id",
    assigned.map(({ role_id: id }) => id),
  );
  const granted = new Map(
    await Promise.all(roles.map(async ({ id }): Promise<[string, readonly Permission[]]> => [id, await tenant.rolePermissions(id)])),
  );
  const ids = [...direct, ...[...granted.values()].flat()].map(({ resource_server_id: id }) => id);
  const apis = await tenant.apis([...new Set(ids)]);
  const toOwn = ({ resource_server_id: id, permission_name: permission }: Permission): readonly OwnPermission[] =>
    apis.flatMap(({ record }) => (record.id === id ? [{ api: publicIdentifier(record.identifier, tenant.urls.issuer), permission }] : []));
  return {
    permissions: direct.flatMap((row) => toOwn(row).map((one) => ({ ...one, assigned_at: toTimestamp(row.created_at) }))),
    rolesIn: (organizationId) =>
      assigned.flatMap(({ organization_id: place, role_id: roleId, created_at: at }) =>
        roles.flatMap(({ id, name, description }) =>
          id === roleId && place === organizationId
            ? [{ name, description, assigned_at: toTimestamp(at), permissions: (granted.get(id) ?? []).flatMap(toOwn) }]
            : [],
        ),
      ),
  };
}

type Permission = Pick<Row<"role_permissions">, "resource_server_id" | "permission_name">;
