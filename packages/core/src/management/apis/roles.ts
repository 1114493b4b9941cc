import * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import { removeRoleChildren } from "../../identity/access/remove-role.ts";
import { deletedName } from "../../identity/connections/deleted-name.ts";
import { assignRoles } from "../../identity/access/role-assignments.ts";
import { PosternError } from "../../errors.ts";
import { listQuerySchema, listResponse, pageQuerySchema } from "../../http/pagination.ts";
import {
  checkSystemFlag,
  createRoleSchema,
  permissionSchema,
  permissionListSchema,
  roleSchema,
  roleUserSchema,
  toRole,
  toRoleFields,
  toRoleUser,
  updateRoleSchema,
  userListSchema,
} from "../../model/apis/roles.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requireGrantablePermissions, requireGrantableRoles, grantsScopes } from "../authority.ts";
import { crud } from "../kit/crud.ts";
import { findUsers } from "../users/find-user.ts";
import { isAnyOf, listRoute } from "../kit/list.ts";
import { presentPermissions, readPermissionBody, type StoredPermission } from "./permissions.ts";

const roleListQuerySchema = listQuerySchema.extend({
  name_filter: z.string().max(255).exactOptional(),
  type: z.string().max(64).exactOptional().meta({
    description:
      "`tenant`: returns only the roles that this tenant can change, without roles that belong to the host application or the control plane. Every other value has no effect",
  }),
});

const crudRoutes = crud({
  path: "/api/v2/roles",
  noun: "a role",
  key: "roles",
  scopes: { read: ["read:roles"], create: ["create:roles"], update: ["update:roles"], delete: ["delete:roles"] },
  description: schema.roles,
  collection: (data) => data.roles,
  notFound: undefined,
  item: roleSchema,
  create: createRoleSchema,
  update: updateRoleSchema,
  listQuery: roleListQuerySchema,
  listWhere: ({ name_filter: filter }) =>
    filter === undefined || filter === "" ? {} : { name_folded: { contains: filter.toLowerCase() } },
  // Auth0's deploy CLI sends `type=tenant`. It deletes all permissions of each role that it reads and adds them again,
  // so the response must not contain a role that cannot be changed.
  listOnly: ({ type }) => (type === "tenant" ? [isAnyOf("is_system", false), { not: { field: "origin", op: "exists" } }] : []),
  toRecord: async (body, { tenant }) => {
    const fields = toRoleFields({ name: body.name, description: "", metadata: {} }, body);
    return { record: { id: tenant.random.record("rol_"), ...fields, is_system: false, origin: null } };
  },
  toChange: async (row, body, { tenant }) => {
    checkSystemFlag(row, body);
    const change = toRoleFields(row, body);
    return tenant.controlPlaneSync.checkChange(row, toRole(row), toRole({ ...row, ...change })) ? change : undefined;
  },
  afterWrite: async (_row, _body, { tenant }) => tenant.controlPlaneSync.changed(),
  present: (rows) => rows.map(toRole),
  checkRemoval: async (row, { tenant }) => tenant.controlPlaneSync.checkRemoval(row, "roles"),
  removeChildren: async (row, { data, controlPlaneSync }, limit) => {
    await controlPlaneSync.changed();
    await removeRoleChildren(data, row, limit);
  },
  freedNames: ({ id }) => ({ name: deletedName(id), name_folded: deletedName(id) }),
});

const missing = { 404: { error: "not_found" } } as const;
const path = "/api/v2/roles/:id/permissions";

const permissions = [
  route({
    method: "GET",
    path,
    summary: "List the permissions of a role",
    scopes: ["read:roles"],
    query: pageQuerySchema,
    responses: { 200: listResponse("permissions", permissionSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const role = await findRole(tenant, params.id);
    return listRoute(tenant, query, {
      collection: tenant.data.role_permissions,
      description: schema.role_permissions,
      where: { role_id: role.id },
      within: role.id,
      key: "permissions",
      defaultSort: { field: "role_id", direction: "asc" },
      present: (rows) => presentPermissions(tenant, rows),
    });
  }),
  route({
    method: "POST",
    path,
    operation: "roles.permissions.add",
    summary: "Add permissions to a role",
    scopes: ["update:roles"],
    furtherScopes: [grantsScopes],
    body: permissionListSchema,
    responses: { 201: null, ...missing },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const role = await findRole(tenant, params.id);
    const now = tenant.now();
    const permissions = await readPermissionBody(tenant, body);
    await requireGrantablePermissions(context, permissions);
    if (!(await mayChange(tenant, role, permissions, true))) return;
    for (const permission of permissions) {
      await tenant.data.role_permissions.insert([{ role_id: role.id, ...permission, created_at: now }]);
    }
    await tenant.controlPlaneSync.changed();
  }),
  route({
    method: "DELETE",
    path,
    operation: "roles.permissions.remove",
    summary: "Remove permissions from a role",
    scopes: ["update:roles"],
    body: permissionListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, { tenant }) => {
    const role = await findRole(tenant, params.id);
    const permissions = await readPermissionBody(tenant, body);
    if (!(await mayChange(tenant, role, permissions, false))) return;
    for (const permission of permissions) await tenant.data.role_permissions.delete({ role_id: role.id, ...permission });
    await tenant.controlPlaneSync.changed();
  }),
];

const users = [
  route({
    method: "GET",
    path: "/api/v2/roles/:id/users",
    summary: "List the users who have a role",
    scopes: ["read:users", "read:roles", "read:role_members"],
    query: pageQuerySchema,
    responses: { 200: listResponse("users", roleUserSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const role = await findRole(tenant, params.id);
    return listRoute(tenant, query, {
      collection: tenant.data.user_roles,
      description: schema.user_roles,
      where: { role_id: role.id, organization_id: "" },
      within: role.id,
      key: "users",
      defaultSort: { field: "user_id", direction: "asc" },
      present: async (rows) => {
        const ids = rows.map(({ user_id: id }) => id);
        return (await findUsers(tenant, ids)).map(toRoleUser);
      },
    });
  }),
  route({
    method: "POST",
    path: "/api/v2/roles/:id/users",
    operation: "roles.users.add",
    summary: "Assign a role to users",
    scopes: ["update:roles", "create:role_members"],
    furtherScopes: [grantsScopes],
    body: userListSchema,
    responses: { 200: null, ...missing },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const role = await findRole(tenant, params.id);
    await requireGrantableRoles(context, [role.id]);
    const ids = [...new Set(body.users)];
    const known = await findUsers(tenant, ids);
    const unknown = ids.find((id) => !known.some((user) => user.user_id === id));
    if (unknown !== undefined) {
      throw new PosternError("not_found", `body: 'users' contains '${unknown}', which does not exist`, { errorCode: "inexistent_user" });
    }
    for (const id of ids) await assignRoles(tenant, id, "", [role.id]);
  }),
];

export const roleRoutes = [...crudRoutes, ...permissions, ...users];

/**
 * Checks whether the permissions of a role can be written.
 * @param gives whether the request adds the permissions (`true`) or removes them.
 * @returns `false` if nothing needs to be written: the role is read-only and already has the requested state.
 */
async function mayChange(
  tenant: RequestTenant,
  role: Row<"roles">,
  permissions: readonly StoredPermission[],
  gives: boolean,
): Promise<boolean> {
  if (role.origin === null && !role.is_system) return true;
  const given = await readAll(tenant.data.role_permissions, schema.role_permissions.key, { role_id: role.id });
  const present = ({ resource_server_id: api, permission_name: name }: StoredPermission): boolean =>
    given.some((one) => one.resource_server_id === api && one.permission_name === name);
  return tenant.controlPlaneSync.checkChange(
    role,
    permissions.map(present),
    permissions.map(() => gives),
  );
}

async function findRole({ data }: RequestTenant, id: string): Promise<Row<"roles">> {
  const role = await findOne(data.roles, { id });
  if (role === undefined) throw new PosternError("not_found", "there is no such role");
  return role;
}
