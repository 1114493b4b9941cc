import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { connectionSchema, toConnection } from "../connections/connections.ts";
import { clientIdSchema } from "./client-id.ts";

/** A connection that is enabled for a client. */
const enabledConnectionSchema = z
  .strictObject({ connection_id: z.string(), connection: z.strictObject({ id: z.string(), name: z.string(), strategy: z.string() }) })
  .meta({ id: "EnabledConnection" });

const offeredConnectionSchema = connectionSchema.omit({ enabled_clients: true }).meta({ id: "OfferedConnection" });

/** The connections of a client in the order of the login page: with each connection's id, and in Auth0's format. */
export const clientConnectionsSchema = z
  .strictObject({
    enabled_connections: z.array(enabledConnectionSchema),
    connections: z.array(offeredConnectionSchema),
    next: z.string().exactOptional(),
  })
  .meta({ id: "ClientConnections" });

/** The body of `PATCH /api/v2/clients/{id}/connections`: the complete list, in the order of the login page. */
export const clientConnectionIdsSchema = z.array(z.string()).max(1000);

/** The clients that a connection is enabled for. */
export const connectionClientsSchema = z
  .strictObject({ clients: z.array(z.strictObject({ client_id: z.string() })), next: z.string().exactOptional() })
  .meta({ id: "ConnectionClients" });

/** The body of `PATCH /api/v2/connections/{id}/clients`. */
export const connectionClientChangesSchema = z
  .array(z.strictObject({ client_id: clientIdSchema, status: z.boolean() }))
  .min(1)
  .max(1000);

/**
 * Returns the response of `/api/v2/clients/{id}/connections`.
 * @param enabled every enabled connection, in the order of the login page.
 * @param offered the complete rows of the connections that the login page offers.
 */
export function toClientConnections(
  enabled: readonly Row<"connections">[],
  offered: readonly Row<"connections">[],
): z.infer<typeof clientConnectionsSchema> {
  return {
    enabled_connections: enabled.map(({ id, name, strategy }) => ({ connection_id: id, connection: { id, name, strategy } })),
    connections: offered.map((row) => {
      const { enabled_clients: _, ...shown } = toConnection(row, []);
      return shown;
    }),
  };
}
