import { findOne } from "../../store/find-one.ts";
import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { managementScopes } from "../../model/scopes.ts";
import { managementIdentifier } from "../../tenants/audience.ts";
import type { Installation } from "../../tenants/installation.ts";

/** The id of the administrator role. API callers cannot create a role with this id. */
const administratorRole = "rol_administrator";

/**
 * Creates the administrator role, with every permission of the Management API, including those that later versions add.
 * No route can change the role. Otherwise a caller could remove permissions from the role, assign it to a user, and
 * that user would hold every permission after the next start.
 * @returns the id of the role.
 */
export async function seedAdministrators(installation: Installation, data: TenantData): Promise<string> {
  const api = await findOne(data.resource_servers, { identifier: managementIdentifier });
  if (api === undefined) return administratorRole;
  await insertRole(installation, data);
  const held = await readAll(data.role_permissions, schema.role_permissions.key, { role_id: administratorRole });
  const known = new Set(held.map(({ permission_name: name }) => name));
  // One by one, because another process that starts at the same time may insert the same rows.
  for (const { value } of managementScopes) {
    if (known.has(value)) continue;
    const permission = { resource_server_id: api.id, permission_name: value, created_at: installation.now() };
    await data.role_permissions.insert([{ role_id: administratorRole, ...permission }]);
  }
  return administratorRole;
}

/**
 * Assigns roles to a user before the user is created.
 * @param names the names of existing roles.
 * @param ids the ids of further roles.
 * @returns the ids of all these roles.
 * @throws {PosternError} `invalid_request` for an unknown name.
 */
export async function assignSeededRoles(
  installation: Installation,
  data: TenantData,
  userId: string,
  names: readonly string[],
  ids: readonly string[],
): Promise<readonly string[]> {
  const named = await Promise.all(
    names.map(async (name) => {
      const role = await findOne(data.roles, { name_folded: name.toLowerCase(), deleting_at: null });
      if (role === undefined) throw new PosternError("invalid_request", `the role '${name}' does not exist`);
      return role.id;
    }),
  );
  const given = [...new Set([...named, ...ids])];
  for (const id of given) await data.user_roles.insert([{ ...assignment(userId, id), created_at: installation.now() }]);
  return given;
}

/** Removes the roles of a user who was not created. */
export async function removeSeededRoles(data: TenantData, userId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await data.user_roles.delete(assignment(userId, id));
}

const assignment = (userId: string, roleId: string) => ({ user_id: userId, organization_id: "", role_id: roleId });

async function insertRole(installation: Installation, data: TenantData): Promise<void> {
  if ((await data.roles.count({ id: administratorRole })) > 0) return;
  const now = installation.now();
  const common = { metadata: {}, is_system: true, origin: null, revision: 0, created_at: now, updated_at: now, deleting_at: null };
  const description = "Has every permission of the Management API";
  // The tenant may have another role with this name.
  for (const name of ["Administrator", "Administrator of the installation", administratorRole]) {
    const row = { id: administratorRole, name, name_folded: name.toLowerCase(), description, ...common };
    if ((await data.roles.insert([row])) || (await data.roles.count({ id: administratorRole })) > 0) return;
  }
  throw new Error("every possible name of the administrator role is already in use");
}
