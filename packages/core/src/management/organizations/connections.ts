import type * as z from "zod";
import { findByIds } from "../../store/by-ids.ts";
import { schema, type Row } from "../../store/schema.ts";
import { PosternError } from "../../errors.ts";
import { listResponse, pageQuerySchema } from "../../http/pagination.ts";
import {
  addOrganizationConnectionSchema,
  changedConnectionFlags,
  fromConnectionFlags,
  organizationConnectionSchema,
  toOrganizationConnection,
  updateOrganizationConnectionSchema,
} from "../../model/organizations/organizations.ts";
import { queryBooleanSchema } from "../../model/fields.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { requireGrantableMembership, grantsScopes } from "../authority.ts";
import { findOrganization } from "./find-organization.ts";
import { listRoute } from "../kit/list.ts";

const missing = { 404: { error: "not_found" } } as const;

/** Returns the routes for one of Auth0's two paths: the older path, or the newer path that Auth0's CLI uses. */
function routesAt(key: "enabled_connections" | "connections") {
  const path = `/api/v2/organizations/:id/${key}` as const;
  return [
    route({
      method: "GET",
      path,
      summary: "List an organization's connections",
      scopes: ["read:organization_connections"],
      query: pageQuerySchema.extend({ is_enabled: queryBooleanSchema.exactOptional() }),
      responses: { 200: listResponse(key, organizationConnectionSchema), ...missing },
    })(async ({ params, query }, { tenant }) => {
      const { id } = await findOrganization(tenant, params.id);
      return listRoute(tenant, query, {
        collection: tenant.data.organization_connections,
        description: schema.organization_connections,
        // All connections of an organization are enabled, so `is_enabled=false` must match no row.
        where: { organization_id: query.is_enabled === false ? "" : id },
        within: id,
        key,
        defaultSort: { field: "organization_id", direction: "asc" },
        present: (rows) => presentConnections(tenant, rows),
      });
    }),
    route({
      method: "POST",
      path,
      summary: "Add a connection to an organization",
      scopes: ["create:organization_connections"],
      furtherScopes: [grantsScopes],
      body: addOrganizationConnectionSchema,
      responses: { 201: organizationConnectionSchema, ...missing, 409: { error: "conflict" } },
    })(async ({ params, body }, context) => {
      const { tenant } = context;
      const { id } = await findOrganization(tenant, params.id);
      const rows = await readConnections(tenant, id, [body]);
      if (body.assign_membership_on_login === true) await requireGrantableMembership(context, id);
      if (!(await tenant.data.organization_connections.insert(rows))) {
        throw new PosternError("conflict", "the organization already has this connection");
      }
      return presentOne(tenant, rows);
    }),
    route({
      method: "GET",
      path: `${path}/:connection_id`,
      summary: "Get a connection of an organization",
      scopes: ["read:organization_connections"],
      responses: { 200: organizationConnectionSchema, ...missing },
    })(async ({ params }, { tenant }) => presentOne(tenant, await findRows(tenant, params.id, params.connection_id))),
    route({
      method: "PATCH",
      path: `${path}/:connection_id`,
      summary: "Update a connection of an organization",
      scopes: ["update:organization_connections"],
      furtherScopes: [grantsScopes],
      body: updateOrganizationConnectionSchema,
      responses: { 200: organizationConnectionSchema, ...missing },
    })(async ({ params, body }, context) => {
      const { tenant } = context;
      const rows = await findRows(tenant, params.id, params.connection_id);
      if (body.assign_membership_on_login === true) await requireGrantableMembership(context, params.id);
      const where = { organization_id: params.id, connection_id: params.connection_id };
      const set = changedConnectionFlags(body);
      const matched = Object.keys(set).length === 0 ? rows.length : await tenant.data.organization_connections.update(where, { set });
      return presentOne(
        tenant,
        rows.slice(0, matched).map((row) => ({ ...row, ...set })),
      );
    }),
    route({
      method: "DELETE",
      path: `${path}/:connection_id`,
      summary: "Remove a connection from an organization",
      description: "Returns 204 even if the organization does not have the connection, so that a call can be retried.",
      scopes: ["delete:organization_connections"],
      responses: { 204: null, ...missing },
    })(async ({ params }, { tenant }) => {
      const { id } = await findOrganization(tenant, params.id);
      await tenant.data.organization_connections.delete({ organization_id: id, connection_id: params.connection_id });
    }),
  ];
}

/**
 * The routes for the connections that members of an organization may sign in with. If an organization has no
 * connections, its members sign in with the connections of the client.
 */
export const organizationConnectionRoutes = [...routesAt("enabled_connections"), ...routesAt("connections")];

/**
 * Converts the connections in a request body to rows.
 * @throws {PosternError} `invalid_request` that names a connection that does not exist or that is repeated.
 */
export async function readConnections(
  tenant: RequestTenant,
  organizationId: string,
  bodies: readonly z.infer<typeof addOrganizationConnectionSchema>[],
): Promise<readonly Row<"organization_connections">[]> {
  const known = await connectionsWith(
    tenant,
    bodies.map(({ connection_id: id }) => id),
  );
  const rows = new Map<string, Row<"organization_connections">>();
  for (const { connection_id: connectionId, ...flags } of bodies) {
    if (!known.some(({ id }) => id === connectionId)) throw invalidBody(`'connection_id' is '${connectionId}', which does not exist`);
    if (rows.has(connectionId)) throw invalidBody(`'connection_id' contains '${connectionId}' more than once`);
    rows.set(connectionId, {
      organization_id: organizationId,
      connection_id: connectionId,
      ...fromConnectionFlags(flags),
      created_at: tenant.now(),
    });
  }
  return [...rows.values()];
}

/** Converts the connections of organizations to the response format. A connection that is being deleted is omitted. */
export async function presentConnections(
  tenant: RequestTenant,
  rows: readonly Row<"organization_connections">[],
): Promise<readonly z.infer<typeof organizationConnectionSchema>[]> {
  return withConnections(rows, await findConnections(tenant, rows));
}

/** Returns the connections that the rows refer to. */
export function findConnections(
  tenant: RequestTenant,
  rows: readonly Row<"organization_connections">[],
): Promise<readonly Row<"connections">[]> {
  return connectionsWith(
    tenant,
    rows.map(({ connection_id: id }) => id),
  );
}

/** Converts the connections of organizations as {@link presentConnections} does, with connections that are already read. */
export function withConnections(
  rows: readonly Row<"organization_connections">[],
  known: readonly Row<"connections">[],
): readonly z.infer<typeof organizationConnectionSchema>[] {
  return rows.flatMap((row) => {
    const connection = known.find(({ id }) => id === row.connection_id);
    return connection === undefined ? [] : [toOrganizationConnection(row, connection)];
  });
}

function connectionsWith({ data }: RequestTenant, ids: readonly string[]): Promise<readonly Row<"connections">[]> {
  return findByIds(data.connections, "id", ids);
}

async function findRows(
  tenant: RequestTenant,
  organizationId: string,
  connectionId: string,
): Promise<readonly Row<"organization_connections">[]> {
  const { id } = await findOrganization(tenant, organizationId);
  return tenant.data.organization_connections.find({ where: { organization_id: id, connection_id: connectionId }, limit: 1 });
}

/**
 * Converts the only row to the response format.
 * @throws {PosternError} `not_found` if there is no row, or if its connection is being deleted.
 */
async function presentOne(
  tenant: RequestTenant,
  rows: readonly Row<"organization_connections">[],
): Promise<z.infer<typeof organizationConnectionSchema>> {
  const [shown] = await presentConnections(tenant, rows);
  if (shown === undefined) throw new PosternError("not_found", "the organization has no such connection");
  return shown;
}
