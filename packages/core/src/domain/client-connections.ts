import { readAll } from "../data/read-all.ts";
import { schema, type Row } from "../data/schema.ts";
import type { TenantData } from "../data/tenant-data.ts";
import { PosternError } from "../errors.ts";
import type { Environment } from "./environment.ts";

/**
 * Which connections a client offers, in their order on the login page. A client without a list offers all of the tenant's;
 * the first change through either view, the client's or the connection's, writes the list out.
 */

/** How often a change is tried against changes that others make meanwhile. */
const tries = 5;

/** The clients that offer a connection. */
export function clientsOffering(clients: readonly Row<"clients">[], connectionId: string): readonly string[] {
  return clients.filter(({ connections }) => connections === null || connections.includes(connectionId)).map(({ client_id: id }) => id);
}

/** Every client of the tenant. */
export function allClients(data: TenantData): Promise<readonly Row<"clients">[]> {
  return readAll(data.clients, schema.clients.key, {});
}

/**
 * Switches a connection on or off for clients.
 * @param wanted asked for each client: true to offer it, false not to, undefined to leave it as it is.
 */
export async function offerConnection(
  environment: Environment,
  data: TenantData,
  connectionId: string,
  wanted: (clientId: string) => boolean | undefined,
): Promise<void> {
  const everything = (await readAll(data.connections, ["created_at", "id"], {})).map(({ id }) => id);
  for (const client of await allClients(data)) {
    const offer = wanted(client.client_id);
    if (offer !== undefined) {
      await changeConnections(environment, data, client, (connections) => {
        const list = connections ?? everything;
        if (list.includes(connectionId) === offer) return connections;
        return offer ? [...list, connectionId] : list.filter((id) => id !== connectionId);
      });
    }
  }
}

/** Changes a client's list by compare-and-swap; `change` is asked again where another change came first. */
export async function changeConnections(
  { clock }: Environment,
  data: TenantData,
  client: Row<"clients">,
  change: (connections: readonly string[] | null) => readonly string[] | null,
): Promise<void> {
  let current: Row<"clients"> | undefined = client;
  for (let attempt = 0; attempt < tries && current !== undefined; attempt++) {
    const connections = change(current.connections);
    if (connections === current.connections) return;
    const { client_id: clientId, revision }: Row<"clients"> = current;
    const set = { connections, updated_at: clock.now() };
    if ((await data.clients.update({ client_id: clientId, revision }, { set, add: { revision: 1 } })) === 1) return;
    [current] = await data.clients.find({ where: { client_id: clientId }, limit: 1 });
  }
  if (current !== undefined) throw new PosternError("conflict", "others keep changing this client; try again");
}
