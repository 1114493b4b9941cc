import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { newestMethods } from "./authentication.ts";
import { deviceSchema, toDevice } from "./devices.ts";
import { withMaximumKeys } from "../member-count.ts";
import { metadataSchema, timestampSchema, toTimestamp } from "../fields.ts";

/** A user's session as the Management API returns it. */
export const sessionSchema = z
  .strictObject({
    id: z.string(),
    user_id: z.string(),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    authenticated_at: timestampSchema,
    last_interacted_at: timestampSchema,
    idle_expires_at: timestampSchema,
    expires_at: timestampSchema,
    device: deviceSchema,
    clients: z.array(z.strictObject({ client_id: z.string() })),
    authentication: z.strictObject({ methods: z.array(z.strictObject({ name: z.string(), timestamp: timestampSchema })) }),
    cookie: z
      .strictObject({ mode: z.enum(["persistent", "non-persistent"]) })
      .exactOptional()
      .meta({ description: "Omitted for a session without a browser" }),
    session_metadata: metadataSchema,
  })
  .meta({ id: "Session" });

/**
 * The properties of a session that a client can check. A Postern extension: Auth0's sessions do not contain the
 * connection that the user signed in with. A client that embeds Postern compares it with the connection that it
 * requested.
 */
export const clientSessionSchema = z
  .strictObject({
    session_id: z.string(),
    client_id: z.string(),
    user_id: z.string(),
    connection: z.string().meta({ description: "The name of the connection that the user signed in with" }),
  })
  .meta({ id: "ClientSession" });

/** Metadata of a session or of a refresh token: an object of at most 25 keys. */
export const sessionMetadataSchema = withMaximumKeys(metadataSchema, 25);

/** The body of `PATCH /api/v2/sessions/{id}`. The body replaces all metadata; `null` removes all keys. */
export const updateSessionSchema = z
  .strictObject({ session_metadata: sessionMetadataSchema.nullable().exactOptional() })
  .meta({ id: "UpdateSession" });

/**
 * Converts a row to the Management API format.
 * @param mode the cookie mode of the tenant.
 */
export function toSessionReply(row: Row<"sessions">, mode: "persistent" | "non-persistent"): z.infer<typeof sessionSchema> {
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
