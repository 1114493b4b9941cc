import type * as z from "zod";
import { findOne } from "../../store/find-one.ts";
import { readAllByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import type { SearchTable } from "../../store/q/fields.ts";
import { removeOrganizationChildren } from "../../identity/organizations/remove-organization.ts";
import { deletedName } from "../../identity/connections/deleted-name.ts";
import { PosternError } from "../../errors.ts";
import { listFieldSelectionSchema, searchQuerySchema } from "../../http/pagination.ts";
import {
  createOrganizationSchema,
  fromCreateOrganization,
  fromUpdateOrganization,
  organizationSchema,
  toOrganization,
  updateOrganizationSchema,
} from "../../model/organizations/organizations.ts";
import { requireScopes } from "../../tenants/callers/check-scopes.ts";
import type { FurtherScopes } from "../../http/route.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { crud } from "../kit/crud.ts";
import { findConnections, readConnections, withConnections } from "./connections.ts";

const search: SearchTable = {
  fields: {
    id: { field: "id", type: "string" },
    name: { field: "name", type: "folded", contains: true },
    display_name: { field: "display_name", type: "string", missing: "", contains: true },
    metadata: { field: "metadata", type: "object" },
    created_at: { field: "created_at", type: "instant" },
    updated_at: { field: "updated_at", type: "instant" },
  },
  words: [
    { field: "name", type: "folded", contains: true },
    { field: "display_name", type: "string", contains: true },
  ],
};

/** The scopes that read organizations. */
export const organizationReadScopes = ["read:organizations", "read:organizations_summary"] as const;

/** The fields of an organization that pages with a cursor omit by default. */
export const organizationDetailFields = ["created_at", "updated_at", "enabled_connections"];

/**
 * The query of the list route. Only Auth0's clients use checkpoint pagination here. Without `fields`, a page of
 * checkpoint pagination contains the fields that Auth0 returns, because Auth0's deploy CLI writes back everything that
 * it reads, even to another tenant.
 */
const organizationListQuerySchema = searchQuerySchema.overwrite((query) =>
  (query.from ?? query.take) === undefined || query.fields !== undefined
    ? query
    : { ...query, fields: organizationDetailFields.join(","), include_fields: false },
);

const renamesTenant = {
  scopes: ["update:tenants"],
  when: "if the organization belongs to a child tenant and its name changes",
} as const satisfies FurtherScopes;

const crudRoutes = crud({
  path: "/api/v2/organizations",
  noun: "an organization",
  key: "organizations",
  scopes: {
    read: organizationReadScopes,
    create: ["create:organizations", "create:organization_connections"],
    update: ["update:organizations"],
    delete: ["delete:organizations"],
  },
  furtherScopes: { update: [renamesTenant] },
  description: schema.organizations,
  collection: (data) => data.organizations,
  notFound: undefined,
  item: organizationSchema,
  create: createOrganizationSchema,
  update: updateOrganizationSchema,
  search,
  listQuery: organizationListQuerySchema,
  toRecord: async (body, { tenant }) => {
    const { data } = tenant;
    const id = tenant.random.record("org_");
    const connections = await readConnections(tenant, id, body.enabled_connections ?? []);
    // The insert below enforces that the name is unique. This check detects most duplicates before the connections are
    // written.
    if ((await data.organizations.count({ name: body.name })) > 0) {
      throw new PosternError("conflict", "an organization with this name already exists");
    }
    if (connections.length > 0) await data.organization_connections.insert(connections);
    return { record: { id, ...fromCreateOrganization(body) } };
  },
  toChange: async (row, body, context) => {
    const { tenant } = context;
    // The host name of a child tenant may contain the name of its organization. A new name changes the host name, and
    // another tenant can then use the previous one.
    const renames = body.name !== undefined && body.name !== row.name;
    if (renames && (await tenant.tenantOf(row.id)) !== undefined) requireScopes(context, renamesTenant);
    return fromUpdateOrganization(row, body);
  },
  present: (rows, context) => presentOrganizations(rows, context),
  checkRemoval: async ({ id }, { tenant }) => {
    if ((await tenant.tenantOf(id)) === undefined) return;
    throw new PosternError("conflict", "the organization of a child tenant is deleted with the tenant: delete the tenant");
  },
  removeChildren: ({ id }, { data }, limit) => removeOrganizationChildren(data, id, limit),
  freedNames: ({ id }) => ({ name: deletedName(id) }),
});

const byName = route({
  method: "GET",
  path: "/api/v2/organizations/name/:name",
  operation: "organizations.getByName",
  summary: "Get an organization by its name",
  scopes: organizationReadScopes,
  query: listFieldSelectionSchema,
  responses: { 200: organizationSchema, 404: { error: "not_found" } },
})(async ({ params }, { tenant }) => {
  const row = await findOne(tenant.data.organizations, { name: params.name });
  const [organization] = row === undefined ? [] : await presentOrganizations([row], { tenant });
  if (organization === undefined) throw new PosternError("not_found", "there is no such organization");
  return organization;
});

/** The routes for organizations. */
export const organizationRoutes = [...crudRoutes, byName];

/**
 * Converts organizations to the response format. Reads the enabled connections of all organizations together, and reads
 * none if the response omits them.
 */
export async function presentOrganizations(
  rows: readonly Row<"organizations">[],
  { tenant }: { readonly tenant: RequestTenant },
  isSelected: (field: string) => boolean = () => true,
): Promise<readonly z.infer<typeof organizationSchema>[]> {
  if (!isSelected("enabled_connections")) return rows.map((row) => toOrganization(row, []));
  const ids = rows.map(({ id }) => id);
  const { key } = schema.organization_connections;
  const enabled = await readAllByIds(tenant.data.organization_connections, key, "organization_id", ids);
  const known = await findConnections(tenant, enabled);
  return rows.map((row) => {
    const own = enabled.filter(({ organization_id: id }) => id === row.id);
    return toOrganization(row, withConnections(own, known));
  });
}
