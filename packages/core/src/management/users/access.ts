import { assignRoles, removeRoles } from "../../identity/access/role-assignments.ts";
import { checkStillExists } from "../../identity/access/check-still-exists.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import { permissionListSchema, roleSchema, roleListSchema, userPermissionSchema } from "../../model/apis/roles.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { requireGrantablePermissions, requireGrantableRoles, grantsScopes } from "../authority.ts";
import { findPrimary } from "./find-user.ts";
import { listRoles } from "../apis/held-roles.ts";
import { readPermissionBody } from "../apis/permissions.ts";
import { pageReply } from "../kit/slice.ts";
import { permissionsWithSources } from "./permission-sources.ts";

const missing = { 404: "inexistent_user" } as const;

const rolesPath = "/api/v2/users/:id/roles";

const roles = [
  route({
    method: "GET",
    path: rolesPath,
    summary: "List a user's roles",
    scopes: ["read:users", "read:roles", "read:role_members"],
    query: pageQuerySchema,
    responses: { 200: listResponse("roles", roleSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const { user_id: userId } = await findPrimary(tenant, params.id);
    return listRoles(tenant, query, userId, "");
  }),
  route({
    method: "POST",
    path: rolesPath,
    operation: "users.roles.add",
    summary: "Assign roles to a user",
    scopes: ["update:users", "create:role_members"],
    furtherScopes: [grantsScopes],
    body: roleListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const { user_id: userId } = await findPrimary(tenant, params.id);
    await requireGrantableRoles(context, body.roles);
    await assignRoles(tenant, userId, "", body.roles);
  }),
  route({
    method: "DELETE",
    path: rolesPath,
    operation: "users.roles.remove",
    summary: "Remove roles from a user",
    scopes: ["update:users", "delete:role_members"],
    body: roleListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, { tenant }) => {
    const { user_id: userId } = await findPrimary(tenant, params.id);
    await removeRoles(tenant.data, userId, "", body.roles);
  }),
];

const permissionsPath = "/api/v2/users/:id/permissions";

const permissions = [
  route({
    method: "GET",
    path: permissionsPath,
    summary: "List a user's direct and role permissions",
    scopes: ["read:users"],
    query: pageQuerySchema,
    responses: { 200: listResponse("permissions", userPermissionSchema), ...missing },
  })(async ({ params, query }, { tenant }) => {
    const { user_id: userId } = await findPrimary(tenant, params.id);
    return pageReply(tenant, query, await permissionsWithSources(tenant, userId), {
      key: "permissions",
      list: ["user_permissions", userId],
    });
  }),
  route({
    method: "POST",
    path: permissionsPath,
    operation: "users.permissions.add",
    summary: "Assign direct permissions to a user",
    scopes: ["update:users"],
    furtherScopes: [grantsScopes],
    body: permissionListSchema,
    responses: { 201: null, ...missing },
  })(async ({ params, body }, context) => {
    const { tenant } = context;
    const { user_id: userId } = await findPrimary(tenant, params.id);
    const now = tenant.now();
    const permissions = await readPermissionBody(tenant, body);
    await requireGrantablePermissions(context, permissions);
    for (const permission of permissions) {
      await tenant.data.user_permissions.insert([{ user_id: userId, ...permission, created_at: now }]);
    }
    await checkStillExists(tenant.data, { userId }, () => tenant.data.user_permissions.delete({ user_id: userId }));
  }),
  route({
    method: "DELETE",
    path: permissionsPath,
    operation: "users.permissions.remove",
    summary: "Remove direct permissions from a user",
    scopes: ["update:users"],
    body: permissionListSchema,
    responses: { 204: null, ...missing },
  })(async ({ params, body }, { tenant }) => {
    const { user_id: userId } = await findPrimary(tenant, params.id);
    for (const permission of await readPermissionBody(tenant, body))
      await tenant.data.user_permissions.delete({ user_id: userId, ...permission });
  }),
];

export const userAccess = [...roles, ...permissions];
