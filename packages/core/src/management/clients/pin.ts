import { changeRow, requireRow } from "../../store/change-row.ts";
import { clientSchema } from "../../model/clients/bodies.ts";
import { toClient } from "../../model/clients/clients.ts";
import { isExternal, notExternal } from "../../model/clients/external.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { domainConnections } from "./domain-connections.ts";
import { noSuchClient } from "./find-client.ts";

/** Makes an external client an ordinary third-party client. */
export const pinClient = route({
  method: "POST",
  path: "/api/v2/clients/:id/pin",
  operation: "clients.pin",
  summary: "Make an external client an ordinary client",
  description:
    "The client keeps its id, its secret and keys, its metadata and the connections that it has now, and stays a third-party client. " +
    "It can no longer change its registration, and its metadata document is no longer read. Does nothing for an ordinary client.",
  scopes: ["update:clients"],
  responses: { 200: clientSchema, 404: "inexistent_client", 409: { error: "conflict" } },
})(async ({ params }, { tenant }) => {
  const connections = (await domainConnections(tenant)).map(({ id }) => id);
  const changed = await changeRow(tenant.data.clients, { client_id: params.id }, (row) => {
    if (!isExternal(row)) return undefined;
    const { external_client_id, consents_since, blocked_at } = row;
    return { ...notExternal, external_client_id, consents_since, blocked_at, connections, updated_at: tenant.now() };
  });
  return toClient(requireRow(changed, "client", noSuchClient), tenant.id);
});
