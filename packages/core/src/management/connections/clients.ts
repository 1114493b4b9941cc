import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { allClients, clientsListing, offerConnection } from "../../identity/connections/client-connections.ts";
import { PosternError } from "../../errors.ts";
import { connectionClientChangesSchema, connectionClientsSchema } from "../../model/clients/connections.ts";
import { invalidBody } from "../../model/settings.ts";
import { route } from "../../tenants/callers/route-context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { sliceOf, sliceQuerySchema } from "../kit/slice.ts";

const path = "/api/v2/connections/:id/clients";
const missing = { 404: "inexistent_connection" } as const;

const list = route({
  method: "GET",
  path,
  operation: "connections.clients.list",
  summary: "List the clients that a connection is enabled for",
  description: "Clients without a list of connections are omitted. They offer every connection of the tenant except identity providers.",
  scopes: ["read:connections"],
  query: sliceQuerySchema,
  responses: { 200: connectionClientsSchema, ...missing },
})(async ({ params, query }, { tenant }) => {
  const connection = await readConnection(tenant, params.id);
  const listing = clientsListing(await allClients(tenant.data), connection.id);
  const { items, next } = await sliceOf(tenant, listing, query, ["connection_clients", connection.id]);
  return { clients: items.map((clientId) => ({ client_id: clientId })), ...(next !== undefined && { next }) };
});

const change = route({
  method: "PATCH",
  path,
  summary: "Enable or disable a connection for clients",
  description:
    "Other clients stay unchanged. If a client is listed twice, the last entry counts. If a client has no list of connections, " +
    "an enabled connection becomes its whole list, and a disabled one leaves it all other connections except identity providers.",
  scopes: ["update:connections"],
  body: connectionClientChangesSchema,
  responses: { 204: null, ...missing, 409: { error: "conflict" } },
})(async ({ params, body }, { tenant }) => {
  const { id } = await readConnection(tenant, params.id);
  const known = new Set((await allClients(tenant.data)).map(({ client_id: clientId }) => clientId));
  const unknown = body.findIndex(({ client_id: clientId }) => !known.has(clientId));
  if (unknown !== -1) throw invalidBody(`'[${unknown}].client_id' is not a client`);
  const wanted = new Map(body.map(({ client_id: clientId, status }) => [clientId, status]));
  await offerConnection(tenant, id, ({ client_id: clientId }) => wanted.get(clientId));
});

export const connectionClients = [list, change];

async function readConnection({ data }: RequestTenant, id: string): Promise<Row<"connections">> {
  const row = await findOne(data.connections, { id });
  if (row === undefined) throw new PosternError("not_found", "there is no such connection", { errorCode: "inexistent_connection" });
  return row;
}
