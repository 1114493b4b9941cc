import { jsonBody, list, stringMember, type Manager } from "./api.ts";

/**
 * Adds a connection to those that a client offers. `PATCH /api/v2/connections/{id}/clients` would make it the only
 * connection of a client without a list.
 */
export async function addConnection(manage: Manager, clientId: string, connectionId: string): Promise<void> {
  const path = `/api/v2/clients/${clientId}/connections`;
  const offered = list(await manage("GET", path), "connections").map((connection) => stringMember(connection, "id"));
  jsonBody(await manage("PATCH", path, [...offered, connectionId]));
}
