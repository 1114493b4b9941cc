import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { newestMethods } from "./authentication.ts";
import { Device, toDevice } from "./devices.ts";
import { Metadata, Timestamp, toTimestamp } from "../fields.ts";

/** A user's session as the Management API returns it. */
export const Session = z
  .strictObject({
    id: z.string(),
    user_id: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    authenticated_at: Timestamp,
    last_interacted_at: Timestamp,
    idle_expires_at: Timestamp,
    expires_at: Timestamp,
    device: Device,
    clients: z.array(z.strictObject({ client_id: z.string() })),
    authentication: z.strictObject({ methods: z.array(z.strictObject({ name: z.string(), timestamp: Timestamp })) }),
    cookie: z
      .strictObject({ mode: z.enum(["persistent", "non-persistent"]) })
      .exactOptional()
      .meta({ description: "Omitted for a session without a browser" }),
    session_metadata: Metadata,
  })
  .meta({ id: "Session" });

/**
 * The properties of a session that a client can check. A Postern extension: Auth0's sessions do not contain the
 * connection that the user signed in with. A client that embeds Postern compares it with the connection that it
 * requested.
 */
export const ClientSession = z
  .strictObject({
    session_id: z.string(),
    client_id: z.string(),
    user_id: z.string(),
    connection: z.string().meta({ description: "The name of the connection that the user signed in with" }),
  })
  .meta({ id: "ClientSession" });

export type ClientSession = z.infer<typeof ClientSession>;

/** Metadata of a session or of a refresh token: an object of at most 25 keys. */
export const SessionMetadata = Metadata.refine((value) => Object.keys(value).length <= 25, "must have at most 25 keys");

/** The body of `PATCH /api/v2/sessions/{id}`. The body replaces all metadata; `null` removes all keys. */
export const UpdateSession = z.strictObject({ session_metadata: SessionMetadata.nullable().exactOptional() }).meta({ id: "UpdateSession" });

export type Session = z.infer<typeof Session>;

/**
 * Converts a row to the Management API format.
 * @param mode the cookie mode of the tenant.
 */
export function toSessionReply(row: Row<"sessions">, mode: "persistent" | "non-persistent"): Session {
  return {
    id: row.id,
    user_id: row.user_id,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    authenticated_at: toTimestamp(row.authenticated_at),
    last_interacted_at: toTimestamp(row.last_interacted_at),
    idle_expires_at: toTimestamp(row.idle_expires_at),
    expires_at: toTimestamp(row.expires_at),
    device: toDevice(row.device),
    clients: row.clients.map((clientId) => ({ client_id: clientId })),
    authentication: { methods: newestMethods(row).map(({ name, timestamp }) => ({ name, timestamp: toTimestamp(timestamp) })) },
    ...(row.cookie_hash !== null && { cookie: { mode } }),
    session_metadata: row.session_metadata,
  };
}
