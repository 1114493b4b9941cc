import type { DataContext } from "../../context.ts";
import { schema } from "../../store/schema.ts";
import { findManagementApi, readPermissions, type SharedRecords } from "./shared-records.ts";

type Copies = ReadonlyMap<string, { readonly id: string }>;

/** Rows of one insert. */
const chunk = 100;

/**
 * Makes a tenant's copies of roles give what the roles give: permissions of APIs that it has copies of, and of the Management API, which in the tenant is the tenant's own.
 * Where no APIs are copied tenants inherit them as they are (`apis.lent`). Repeatable, and safe beside itself.
 * @returns whether anything was written.
 */
export async function copyPermissions(
  context: DataContext,
  shared: SharedRecords,
  roles: Copies,
  apis: { readonly copies: Copies; readonly lent: boolean },
): Promise<boolean> {
  const { data } = context;
  const { role_permissions: collection } = data;
  const [present, managementApiId] = await Promise.all([readPermissions(data, [...roles.values()]), findManagementApi(data)]);
  const lent = new Set(apis.lent ? shared.apis.map(({ id }) => id) : []);
  const apiOf = (id: string) => {
    if (id === shared.managementApiId) return managementApiId;
    return apis.copies.get(id)?.id ?? (lent.has(id) ? id : undefined);
  };
  const now = context.now();
  const wanted = new Map(
    shared.permissions.flatMap(({ role_id: ofRole, resource_server_id: ofApi, permission_name }) => {
      const role = roles.get(ofRole);
      const resource_server_id = apiOf(ofApi);
      if (role === undefined || resource_server_id === undefined) return [];
      const row = { role_id: role.id, resource_server_id, permission_name, created_at: now };
      return [[keyOf(row), row] as const];
    }),
  );
  const known = new Set(present.map(keyOf));
  const removed = present.filter((row) => !wanted.has(keyOf(row)));
  for (const { role_id, resource_server_id, permission_name } of removed)
    await collection.delete({ role_id, resource_server_id, permission_name });

  const added = [...wanted].flatMap(([key, row]) => (known.has(key) ? [] : [row]));
  // Where somebody else gave one of a part meanwhile, the next round brings the rest of it.
  for (let at = 0; at < added.length; at += chunk) await collection.insert(added.slice(at, at + chunk));
  return removed.length + added.length > 0;
}

function keyOf(row: { readonly [Field in (typeof schema.role_permissions.key)[number]]: string }): string {
  return JSON.stringify(schema.role_permissions.key.map((field) => row[field]));
}
