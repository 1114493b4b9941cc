import type { DataContext } from "../../context.ts";
import { schema } from "../../store/schema.ts";
import { findManagementApi, readPermissions, type SharedRecords } from "./shared-records.ts";

type Copies = ReadonlyMap<string, { readonly id: string }>;

/** Rows per insert. */
const chunk = 100;

/**
 * Makes the permissions of a tenant's copied roles equal to those of the originals. The permissions of a copied API
 * refer to the copy, and permissions of the Management API refer to the tenant's own row for it. If APIs are inherited
 * instead of copied (`apis.areInherited`), permissions refer to the original. Safe to repeat and to run in parallel.
 * @returns whether anything was written.
 */
export async function copyPermissions(
  context: DataContext,
  shared: SharedRecords,
  roles: Copies,
  apis: { readonly copies: Copies; readonly areInherited: boolean },
): Promise<boolean> {
  const { data } = context;
  const { role_permissions: collection } = data;
  const [present, managementApiId] = await Promise.all([readPermissions(data, [...roles.values()]), findManagementApi(data)]);
  const inherited = new Set(apis.areInherited ? shared.apis.map(({ id }) => id) : []);
  const apiOf = (id: string) => {
    if (id === shared.managementApiId) return managementApiId;
    return apis.copies.get(id)?.id ?? (inherited.has(id) ? id : undefined);
  };
  const now = context.now();
  const target = new Map(
    shared.permissions.flatMap(({ role_id: ofRole, resource_server_id: ofApi, permission_name }) => {
      const role = roles.get(ofRole);
      const resource_server_id = apiOf(ofApi);
      if (role === undefined || resource_server_id === undefined) return [];
      const row = { role_id: role.id, resource_server_id, permission_name, created_at: now };
      return [[keyOf(row), row] as const];
    }),
  );
  const known = new Set(present.map(keyOf));
  const removed = present.filter((row) => !target.has(keyOf(row)));
  for (const { role_id, resource_server_id, permission_name } of removed)
    await collection.delete({ role_id, resource_server_id, permission_name });

  const added = [...target].flatMap(([key, row]) => (known.has(key) ? [] : [row]));
  // If a concurrent write inserted one row of a chunk, the next round adds the rest of the chunk.
  for (let at = 0; at < added.length; at += chunk) await collection.insert(added.slice(at, at + chunk));
  return removed.length + added.length > 0;
}

function keyOf(row: { readonly [Field in (typeof schema.role_permissions.key)[number]]: string }): string {
  return JSON.stringify(schema.role_permissions.key.map((field) => row[field]));
}
