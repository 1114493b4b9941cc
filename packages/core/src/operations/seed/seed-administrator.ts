import { readAll } from "../../store/read-all.ts";
import { schema } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { PosternError } from "../../errors.ts";
import { managementScopes } from "../../model/scopes.ts";
import { managementIdentifier } from "../../tenants/audience.ts";
import type { Installation } from "../../tenants/installation.ts";

/** No caller of the API can make a role with this id. */
const administratorRole = "rol_administrator";

/**
 * Makes the role of administrators: every permission of the Management API, also those that later versions add. The role is the host's, and no route changes it: else whoever
 * takes permissions from it could have it given to them, and would hold everything after the next start.
 * @returns its id.
 */
export async function seedAdministrators(installation: Installation, data: TenantData): Promise<string> {
  const [api] = await data.resource_servers.find({ where: { identifier: managementIdentifier }, limit: 1 });
  if (api === undefined) return administratorRole;
  await insertRole(installation, data);
  const held = await readAll(data.role_permissions, schema.role_permissions.key, { role_id: administratorRole });
  const known = new Set(held.map(({ permission_name: name }) => name));
  // One by one: another process that starts beside this one may insert the same.
  for (const { value } of managementScopes) {
    if (known.has(value)) continue;
    const permission = { resource_server_id: api.id, permission_name: value, created_at: installation.now() };
    await data.role_permissions.insert([{ role_id: administratorRole, ...permission }]);
  }
  return administratorRole;
}

/**
 * Gives roles to a user who is about to be made.
 * @param names of roles that the tenant has. @param ids of further ones.
 * @returns the ids of all of them.
 * @throws {PosternError} `invalid_request` for a name that no role has.
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
      const [role] = await data.roles.find({ where: { name_folded: name.toLowerCase(), deleting_at: null }, limit: 1 });
      if (role === undefined) throw new PosternError("invalid_request", `there is no role '${name}'`);
      return role.id;
    }),
  );
  const given = [...new Set([...named, ...ids])];
  for (const id of given) await data.user_roles.insert([{ ...assignment(userId, id), created_at: installation.now() }]);
  return given;
}

/** Takes roles from a user who did not come to be. */
export async function withdrawSeededRoles(data: TenantData, userId: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) await data.user_roles.delete(assignment(userId, id));
}

const assignment = (userId: string, roleId: string) => ({ user_id: userId, organization_id: "", role_id: roleId });

async function insertRole(installation: Installation, data: TenantData): Promise<void> {
  if ((await data.roles.count({ id: administratorRole })) > 0) return;
  const now = installation.now();
  const common = { metadata: {}, is_system: true, origin: null, revision: 0, created_at: now, updated_at: now, deleting_at: null };
  const description = "May do everything with the Management API";
  // The tenant may have given the name to a role of its own.
  for (const name of ["Administrator", "Administrator of the installation", administratorRole]) {
    const row = { id: administratorRole, name, name_folded: name.toLowerCase(), description, ...common };
    if ((await data.roles.insert([row])) || (await data.roles.count({ id: administratorRole })) > 0) return;
  }
  throw new Error("the names of the administrators' role are taken");
}
