import * as z from "zod";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import { effectivePermissionsSchema, effectiveRolesSchema } from "../../model/users/effective-access.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { findRoles } from "../apis/held-roles.ts";
import { sliceOf, sliceQuerySchema } from "../kit/slice.ts";
import { findPrimary } from "./find-user.ts";
import { permissionsWithSources } from "./permission-sources.ts";

const missing = { 404: "inexistent_user" } as const;
const ofApi = { resource_server_identifier: z.string().min(1).max(600) };

const permissions = route({
  method: "GET",
  path: "/api/v2/users/:id/effective-permissions",
  operation: "users.effectivePermissions.list",
  summary: "List the permissions that a user has for an API, with their sources",
  description: "Permissions that the user has only inside an organization are not included.",
  scopes: ["read:user_effective_permissions"],
  query: sliceQuerySchema.extend(ofApi),
  responses: { 200: effectivePermissionsSchema, ...missing },
})(async ({ params, query: { resource_server_identifier: api, ...query } }, { tenant }) => {
  const { user_id: userId } = await findPrimary(tenant, params.id);
  const all = (await permissionsWithSources(tenant, userId)).filter(({ resource_server_identifier: one }) => one === api);
  const { items, next } = await sliceOf(tenant, all, query, ["effective_permissions", userId, api]);
  return {
    permissions: items.map(({ sources, ...permission }) => {
      const types = new Set(sources.map(({ source_type: type }) => (type === "DIRECT" ? ("direct" as const) : ("roles" as const))));
      return { ...permission, sources: [...types] };
    }),
    ...(next !== undefined && { next }),
  };
});

const roles = route({
  method: "GET",
  path: "/api/v2/users/:id/effective-roles",
  operation: "users.effectiveRoles.list",
  summary: "List the roles that a user has, with their sources",
  description: "Every role is assigned directly, because there are no groups. Roles inside organizations are not included.",
  scopes: ["read:user_effective_roles"],
  query: sliceQuerySchema,
  responses: { 200: effectiveRolesSchema, ...missing },
})(async ({ params, query }, { tenant }) => {
  const { user_id: userId } = await findPrimary(tenant, params.id);
  const { items, next } = await sliceOf(tenant, await rolesOf(tenant, userId), query, ["effective_roles", userId]);
  return { roles: items.map(toEffectiveRole), ...(next !== undefined && { next }) };
});

const permissionRoles = route({
  method: "GET",
  path: "/api/v2/users/:id/effective-permissions/sources/effective-roles",
  operation: "users.effectivePermissions.sources.roles.list",
  summary: "List the roles that give a user a permission",
  scopes: ["read:user_permission_source_roles"],
  query: sliceQuerySchema.extend({ ...ofApi, permission_name: z.string().min(1).max(280) }),
  responses: { 200: effectiveRolesSchema, ...missing },
})(async ({ params, query: { resource_server_identifier: api, permission_name: name, ...query } }, { tenant }) => {
  const { user_id: userId } = await findPrimary(tenant, params.id);
  const [held, all] = await Promise.all([rolesOf(tenant, userId), permissionsWithSources(tenant, userId)]);
  const permission = all.find((one) => one.resource_server_identifier === api && one.permission_name === name);
  const granting = new Set((permission?.sources ?? []).map(({ source_id: id }) => id));
  const { items, next } = await sliceOf(
    tenant,
    held.filter(({ id }) => granting.has(id)),
    query,
    ["permission_roles", userId, api, name],
  );
  return { roles: items.map(toEffectiveRole), ...(next !== undefined && { next }) };
});

/** The routes for what a user may do, with the sources of each right. */
export const effectiveAccess = [permissions, permissionRoles, roles];

/** Returns the roles that a user has in the tenant. */
async function rolesOf(tenant: RequestTenant, userId: string): Promise<readonly Row<"roles">[]> {
  return findRoles(tenant, await readAll(tenant.data.user_roles, schema.user_roles.key, { user_id: userId, organization_id: "" }));
}

function toEffectiveRole({ id, name, description }: Row<"roles">): z.infer<typeof effectiveRolesSchema>["roles"][number] {
  return { id, name, description, sources: ["direct"] };
}
