import * as z from "zod";
import type { Row } from "../../store/schema.ts";
import { deviceSchema, toDevice } from "./devices.ts";
import { metadataSchema, timestampSchema, toTimestamp } from "../fields.ts";
import { sessionMetadataSchema } from "./sessions.ts";
import { clientIdSchema } from "../clients/client-id.ts";

/**
 * A refresh token as the Management API returns it. It omits the token, its hash and its position in
 * the rotation family, so that no field selection, sort order or search can reveal them.
 */
export const refreshTokenSchema = z
  .strictObject({
    id: z.string(),
    user_id: z.string(),
    client_id: z.string(),
    session_id: z.string().exactOptional(),
    created_at: timestampSchema,
    idle_expires_at: timestampSchema.nullable(),
    expires_at: timestampSchema.nullable(),
    last_exchanged_at: timestampSchema.nullable(),
    revoked_at: timestampSchema.exactOptional(),
    device: deviceSchema,
    rotating: z.boolean(),
    resource_servers: z.array(z.strictObject({ audience: z.string(), scopes: z.string() })),
    refresh_token_metadata: metadataSchema,
  })
  .meta({ id: "RefreshToken" });

/** The body of `PATCH /api/v2/refresh-tokens/{id}`. The body replaces all metadata; `null` removes all keys. */
export const updateRefreshTokenSchema = z
  .strictObject({ refresh_token_metadata: sessionMetadataSchema.nullable().exactOptional() })
  .meta({ id: "UpdateRefreshToken" });

const selectsTokens =
  "must contain either 'ids' (1 to 100 ids), or 'user_id', optionally with 'client_id', and with 'client_id' also 'audience'";
const userIdSchema = z.string().min(1).max(300);

/**
 * The body of `POST /api/v2/refresh-tokens/revoke`: the tokens with these ids, or the tokens of a user, which a client
 * and then an API narrow down.
 */
export const revokeRefreshTokensSchema = z
  .union(
    [
      z.strictObject({ ids: z.array(z.string().min(1).max(30)).min(1).max(100) }),
      z.strictObject({ user_id: userIdSchema }),
      z.strictObject({
        user_id: userIdSchema,
        client_id: clientIdSchema,
        audience: z.string().min(1).max(600).exactOptional().meta({ description: "The identifier of an API" }),
      }),
    ],
    { error: selectsTokens },
  )
  .meta({ id: "RevokeRefreshTokens" });

/** Data about a refresh token that is not in its row. */
interface RefreshTokenFacts {
  /** Whether the client rotates refresh tokens. */
  readonly rotating: boolean;
  /** The public identifier of the API. */
  readonly audience: string;
}

/** Converts a row to the Management API format. */
export function toRefreshToken(row: Row<"refresh_tokens">, { rotating, audience }: RefreshTokenFacts): z.infer<typeof refreshTokenSchema> {
  return {
    id: row.id,
    user_id: row.user_id,
    client_id: row.client_id,
    ...(row.session_id !== null && { session_id: row.session_id }),
    created_at: toTimestamp(row.created_at),
    idle_expires_at: instant(row.idle_expires_at),
    expires_at: instant(row.expires_at),
    last_exchanged_at: instant(row.last_exchanged_at),
    ...(row.revoked_at !== null && { revoked_at: toTimestamp(row.revoked_at) }),
    device: toDevice(row.device),
    rotating,
    resource_servers: [{ audience, scopes: row.scope.join(" ") }],
    refresh_token_metadata: row.refresh_token_metadata,
  };
}

function instant(value: number | null): string | null {
  return value === null ? null : toTimestamp(value);
}
