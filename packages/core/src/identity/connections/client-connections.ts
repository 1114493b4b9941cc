import type { DataContext } from "../../context.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import { readAll } from "../../store/read-all.ts";
import { schema, type Row } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import { isUpstream } from "../../model/connections/upstream.ts";

/**
 * Reads and changes the connections that a client offers, in their order on the login page. A client without a stored
 * list offers every connection of the tenant except identity providers. The first change that names the client stores
 * its list: see {@link offerConnection}.
 */

/** The number of clients that are changed before the loop yields to the event loop. */
const clientsPerTurn = 50;

/**
 * Returns the ids of the clients whose list contains a connection. Clients without a list are not included: a caller
 * that sends the result back, such as Auth0's deploy CLI, must not change them (decision 46).
 */
export function clientsListing(clients: readonly Row<"clients">[], connectionId: string): readonly string[] {
  return clients.filter(({ connections }) => connections?.includes(connectionId)).map(({ client_id: id }) => id);
}

/** Returns all clients of the tenant. */
export function allClients(data: TenantData): Promise<readonly Row<"clients">[]> {
  return readAll(data.clients, schema.clients.key, {});
}

/**
 * Enables or disables a connection for clients. If a client has no list, its list becomes the enabled connection alone,
 * or everything that it offers except the disabled connection (decision 46).
 * @param shouldOffer called for each client. It returns `true` to enable the connection, `false` to disable it, and
 * undefined to leave the client unchanged.
 */
export async function offerConnection(
  context: DataContext,
  connectionId: string,
  shouldOffer: (client: Row<"clients">) => boolean | undefined,
): Promise<void> {
  const listed = await readAll(context.data.connections, ["created_at", "id"], { listed: true });
  const local = listed.filter((connection) => !isUpstream(connection)).map(({ id }) => id);
  for (const [i, client] of (await allClients(context.data)).entries()) {
    if ((i + 1) % clientsPerTurn === 0) await endOfTurn();
    const offer = shouldOffer(client);
    if (offer !== undefined) {
      await changeConnections(context, client, (connections) => {
        const list = connections ?? (offer ? [] : local);
        if (list.includes(connectionId) === offer) return connections;
        return offer ? [...list, connectionId] : list.filter((id) => id !== connectionId);
      });
    }
  }
}

/**
 * Changes the connections that a client offers. Calls `change` again if a parallel request changed the client first.
 * Does nothing if the client was deleted in the meantime.
 */
export async function changeConnections(
  context: DataContext,
  client: Row<"clients">,
  change: (connections: readonly string[] | null) => readonly string[] | null,
): Promise<void> {
  const apply = ({ connections: before }: Row<"clients">) => {
    const connections = change(before);
    return connections === before ? undefined : { connections, updated_at: context.now() };
  };
  const { outcome } = await changeRow(context.data.clients, { client_id: client.client_id }, apply, client);
  if (outcome === "lost-race") throw lostRace("client");
}
