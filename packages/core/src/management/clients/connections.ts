import * as z from "zod";
import { findByIds } from "../../store/by-ids.ts";
import { readAll } from "../../store/read-all.ts";
import type { Row } from "../../store/schema.ts";
import { isUpstream } from "../../model/connections/upstream.ts";
import { changeConnections } from "../../identity/connections/client-connections.ts";
import { queryList } from "../../model/fields.ts";
import { clientConnectionIdsSchema, clientConnectionsSchema, toClientConnections } from "../../model/clients/connections.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { connectionSelection, selectId } from "../connections/selection.ts";
import { isExternal } from "../../model/clients/external.ts";
import { domainConnections } from "./domain-connections.ts";
import { findClient } from "./find-client.ts";
import { sliceOf, sliceQuerySchema } from "../kit/slice.ts";

const path = "/api/v2/clients/:id/connections";
const missing = { 404: "inexistent_client" } as const;

const list = route({
  method: "GET",
  path,
  operation: "clients.connections.list",
  summary: "List the connections that are enabled for a client",
  description:
    "The connections are in the order of the login page. If the client has no list of connections, `enabled_connections` contains every connection of the tenant, and `connections` contains " +
    "only those that the login page offers: database and passwordless connections, but no identity providers. " +
    "An external client has the connections with `is_domain_connection`. " +
    "With only `read:client_summary`, the response contains IDs, names and strategies.",
  scopes: ["read:clients", "read:connections", "read:client_summary"],
  visibleFields: ({ scopes }) =>
    scopes.has("read:clients") || scopes.has("read:connections") ? undefined : ["connection_id", "connection", "id", "name", "strategy"],
  query: sliceQuerySchema
    .extend({
      ...connectionSelection,
      strategy: queryList(z.string().max(64)).exactOptional(),
    })
    .overwrite(selectId),
  responses: { 200: clientConnectionsSchema, ...missing },
})(async ({ params, query }, { tenant }) => {
  const { strategy: wanted, ...pagination } = query;
  const client = await findClient(tenant, params.id);
  const enabled = isExternal(client) ? await domainConnections(tenant) : await enabledFor(tenant, client.connections);
  const selected = wanted === undefined ? enabled : enabled.filter((row) => wanted.includes(row.strategy));
  const { items, next } = await sliceOf(tenant, selected, pagination, ["client_connections", client.client_id, wanted ?? null]);
  const offered = isExternal(client)
    ? items.filter(({ listed }) => listed)
    : client.connections === null
      ? items.filter((row) => !isUpstream(row))
      : items;
  return { ...toClientConnections(items, offered), ...(next !== undefined && { next }) };
});

const replace = route({
  method: "PATCH",
  path,
  summary: "Set the connections that are enabled for a client",
  description:
    "The array of connection ids replaces the whole list, and its order is the order on the login page. " +
    "Unknown ids and duplicates are ignored. With an empty array, no connections are enabled for the client.",
  scopes: ["update:clients"],
  body: clientConnectionIdsSchema,
  responses: { 200: clientConnectionsSchema, ...missing, 409: { error: "conflict" } },
})(async ({ params, body }, { tenant }) => {
  const client = await findClient(tenant, params.id);
  const rows = await enabledFor(tenant, [...new Set(body)]);
  const ids = rows.map(({ id }) => id);
  await changeConnections(tenant, client, () => ids);
  return toClientConnections(rows, rows);
});

export const clientConnections = [list, replace];

/**
 * Returns the connections on a client's list in the order of the list, or every connection of the tenant if the client
 * has no list (docs/design/login-flow.md). The connections do not include inherited settings.
 */
async function enabledFor({ data }: RequestTenant, ids: readonly string[] | null): Promise<readonly Row<"connections">[]> {
  return ids === null ? readAll(data.connections, ["created_at", "id"], {}) : findByIds(data.connections, "id", ids);
}
