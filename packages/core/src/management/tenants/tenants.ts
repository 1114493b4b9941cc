import * as z from "zod";
import { schema, type Row } from "../../store/schema.ts";
import type { FurtherScopes } from "../../http/route.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { queryBooleanSchema, queryInteger } from "../../model/fields.ts";
import { fromUpdateTenantSettings, newTenantSettings } from "../../model/tenant/settings-bodies.ts";
import { createTenantSchema, tenantSchema, toTenant, updateTenantSchema } from "../../model/tenant/tenants.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { defaultPasswordConnection } from "../../tenants/lifecycle/password-connection.ts";
import { isAnyOf } from "../kit/list.ts";
import { numberedPage } from "../kit/numbered-page.ts";

const search: SearchTable = {
  fields: {
    id: { field: "id", type: "string", contains: true },
    name: { field: "name", type: "string", contains: true },
    friendly_name: { field: "friendly_name", type: "string", missing: "", contains: true },
    created_at: { field: "created_at", type: "instant" },
    updated_at: { field: "updated_at", type: "instant" },
  },
  words: [
    { field: "id", type: "string", contains: true },
    { field: "name", type: "string", contains: true },
    { field: "friendly_name", type: "string", contains: true },
  ],
};

/** An ID that no tenant has. It keeps the condition on IDs valid if a user cannot see any tenant. */
const noTenantId = "";

/** The first page is always 1 for tenants, independent of `pagination.firstPage`. */
const tenantListQuerySchema = z.strictObject({
  page: queryInteger(1, 1_000_000).exactOptional().meta({ description: "The first page is 1" }),
  per_page: queryInteger(1, 100).exactOptional().meta({ description: "Default 50" }),
  include_totals: queryBooleanSchema.exactOptional().meta({ description: "Has no effect: the total is always returned" }),
  sort: z.string().max(200).exactOptional(),
  q: z.string().max(1000).exactOptional(),
});

const tenantListSchema = z
  .strictObject({ tenants: z.array(tenantSchema), total: z.int(), page: z.int(), per_page: z.int() })
  .meta({ id: "TenantList" });
const tenantReplySchema = z.strictObject({ tenant: tenantSchema });
const reserved = { 403: { error: "forbidden: requires a token of the control plane without an organization" } } as const;
const missing = { 404: { error: "not_found" } } as const;

const listTenants = route({
  method: "GET",
  path: "/tenants",
  operation: "tenants.list",
  summary: "List tenants",
  description:
    "A client of the control plane sees all tenants. A user sees the tenants whose organization the user is a member of, and with `read:tenant_settings` also the control plane.",
  scopes: ["read:tenants"],
  query: tenantListQuerySchema,
  responses: { 200: tenantListSchema, ...reserved },
})(async ({ query }, { tenant, caller }) => {
  const managed = await tenant.managedTenants(caller);
  const ids = (await managed.ofUser())?.map(({ id }) => id);
  // One condition can contain up to 50 IDs. A longer list requires a filter.
  const few = ids !== undefined && ids.length < 50;
  const { items, ...page } = await numberedPage(tenant, query, {
    collection: managed.collection,
    description: schema.tenants,
    where: { deleting_at: null, ready_at: { exists: true }, ...(few && { id: { in: [noTenantId, ...ids] } }) },
    only: ids === undefined || few ? [] : [isAnyOf("id", ...ids)],
    defaultSort: { field: "created_at", direction: "asc" },
    search,
    present: (rows) => rows.map(toTenant),
  });
  return { tenants: items, ...page };
});

const create = route({
  method: "POST",
  path: "/tenants",
  summary: "Create a tenant",
  description:
    "Also creates an organization on the control plane, whose members can access the tenant. If a user creates the tenant, the user becomes the first member. " +
    "When the response arrives, the tenant is ready, with its first connection and the shared entities of the control plane.",
  scopes: ["create:tenants"],
  body: createTenantSchema,
  responses: { 201: tenantReplySchema, ...reserved, 409: { error: "conflict" } },
})(async ({ body }, { tenant, caller }) => {
  const { id, name, friendly_name: friendlyName = name, ...settings } = body;
  const managed = await tenant.managedTenants(caller);
  const row = await managed.create({
    id,
    name,
    friendlyName,
    settings: newTenantSettings({ default_directory: defaultPasswordConnection, ...settings }),
  });
  return { tenant: toTenant(row) };
});

const get = route({
  method: "GET",
  path: "/tenants/:id",
  summary: "Get a tenant",
  scopes: ["read:tenants"],
  responses: { 200: tenantReplySchema, ...reserved, ...missing },
})(async ({ params }, { tenant, caller }) => {
  const managed = await tenant.managedTenants(caller);
  return { tenant: toTenant(await managed.read(params.id)) };
});

/**
 * `update:tenants` is for child tenants. A user who has only this scope must not change the control plane, from which
 * the user administers.
 */
const changesControlPlane = {
  scopes: ["update:tenant_settings"],
  when: "if a user changes the control plane",
} as const satisfies FurtherScopes;

const update = route({
  method: "PATCH",
  path: "/tenants/:id",
  summary: "Update a tenant",
  description: "Omitted members stay unchanged.",
  scopes: ["update:tenants"],
  furtherScopes: [changesControlPlane],
  body: updateTenantSchema,
  responses: { 200: tenantReplySchema, ...reserved, ...missing, 409: { error: "conflict" } },
})(async ({ params, body }, context) => {
  const { tenant, caller } = context;
  const { name, ...settings } = body;
  const change = (record: Row<"tenants">) => ({ ...fromUpdateTenantSettings(record, settings), name: name ?? record.name });
  const managed = await tenant.managedTenants(caller);
  const row = await managed.change(params.id, change, () => requireScopes(context, changesControlPlane));
  return { tenant: toTenant(row) };
});

const remove = route({
  method: "DELETE",
  path: "/tenants/:id",
  summary: "Delete a tenant",
  description:
    "Deletes the tenant with all its data. The tenant becomes unavailable immediately. The returned operation contains the progress of the data deletion. The control plane cannot be deleted.",
  scopes: ["delete:tenants"],
  responses: {
    200: z.strictObject({ success: z.boolean() }),
    ...reserved,
    ...missing,
    409: { error: "conflict: another operation on the tenant is in progress" },
  },
})(async ({ params }, { tenant, caller }) => {
  const managed = await tenant.managedTenants(caller);
  await managed.remove(params.id);
  return { success: true };
});

/** The routes with which the control plane manages tenants (docs/design/tenants-and-inheritance.md). */
export const tenantRoutes = [listTenants, create, get, update, remove];
