import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { Connection, toConnection } from "../connections/connections.ts";

/** A connection that a client offers (spec section 2.4). */
const EnabledConnection = z
  .strictObject({ connection_id: z.string(), connection: z.strictObject({ id: z.string(), name: z.string(), strategy: z.string() }) })
  .meta({ id: "EnabledConnection" });

const OfferedConnection = Connection.omit({ enabled_clients: true }).meta({ id: "OfferedConnection" });

/** The connections that a client offers, in their order on the login page: as the specification shows them, and as the vendor does. */
export const ClientConnections = z
  .strictObject({
    enabled_connections: z.array(EnabledConnection),
    connections: z.array(OfferedConnection),
    next: z.string().exactOptional(),
  })
  .meta({ id: "ClientConnections" });

/** The body of `PATCH /api/v2/clients/{id}/connections`: the whole list, in its order. */
export const ClientConnectionIds = z.array(z.string()).max(1000);

/** The clients that offer a connection. */
export const ConnectionClients = z
  .strictObject({ clients: z.array(z.strictObject({ client_id: z.string() })), next: z.string().exactOptional() })
  .meta({ id: "ConnectionClients" });

/** The body of `PATCH /api/v2/connections/{id}/clients`. */
export const ConnectionClientChanges = z
  .array(z.strictObject({ client_id: z.string().min(1).max(64), status: z.boolean() }))
  .min(1)
  .max(1000);

export type ClientConnections = z.infer<typeof ClientConnections>;

/**
 * The reply of `/api/v2/clients/{id}/connections`.
 * @param enabled every enabled connection, in the order of the login page.
 * @param offered those that the login page offers, in full.
 */
export function toClientConnections(enabled: readonly Row<"connections">[], offered: readonly Row<"connections">[]): ClientConnections {
  return {
    enabled_connections: enabled.map(({ id, name, strategy }) => ({ connection_id: id, connection: { id, name, strategy } })),
    connections: offered.map((row) => {
      const { enabled_clients: _, ...shown } = toConnection(row, []);
      return shown;
    }),
  };
}
