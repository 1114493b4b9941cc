import { findOne } from "../store/find-one.ts";
import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import { isGrantRevoked } from "./refresh-tokens/refresh-token.ts";
import { claimFields } from "./id-token.ts";

const subjectFields = [...claimFields, "blocked", "linked_to", "deletes_at"] as const;
const sessionFields = ["user_id", "connection_id", "revoked_at", "authenticated_at", "authentication"] as const;

/** The columns of a user that tokens need: the columns for the claims, and those that end the tokens. */
export type TokenSubject = Pick<Row<"users">, (typeof subjectFields)[number]>;

/** The columns of a session that tokens need. */
type TokenSession = Pick<Row<"sessions">, (typeof sessionFields)[number]>;

/** The user, session and grant that a token or a code refers to. */
export interface TokenReference {
  readonly userId: string;
  /** null, or '' in an access token, if the token was issued for a refresh token without a session. */
  readonly sessionId: string | null;
  /**
   * The grant whose revocation also revokes the token. Omitted if the token has its own row that shows whether it was
   * revoked.
   */
  readonly grantId?: string;
}

/** Whether the user, the session and the grant of a token or a code are still active. */
export type TokenStatus =
  | { readonly kind: "live"; readonly user: TokenSubject; readonly session: TokenSession | undefined }
  /** The user is blocked. */
  | { readonly kind: "blocked" }
  /** The user was deleted, asked for it, or was linked to another user, or the session or the grant has ended. */
  | { readonly kind: "ended" };

/**
 * Returns the current status of a token or a code. Every endpoint that accepts tokens or codes calls this function:
 * userinfo, introspection, the token endpoint, the Management API.
 *
 * A token is rejected after its session was revoked, but not because its session expired. The row of a session is
 * stored for longer than any of its tokens is valid, unless the user is deleted. A token whose session row is missing
 * is therefore rejected, even if a new user has the same id. The queries run in parallel and cost one round trip.
 */
export async function tokenStatus(data: TenantData, token: TokenReference): Promise<TokenStatus> {
  const sessionId = token.sessionId ?? "";
  const [user, session, revoked] = await Promise.all([
    // Omits the metadata, which may be large and which no token contains.
    findOne(data.users, { user_id: token.userId }, subjectFields),
    sessionId === "" ? undefined : findOne(data.sessions, { id: sessionId }, sessionFields),
    token.grantId === undefined ? false : isGrantRevoked(data, token.grantId),
  ]);
  const isSessionActive = sessionId === "" || (session?.revoked_at === null && session.user_id === token.userId);
  if (user === undefined || user.linked_to !== "" || user.deletes_at !== null || revoked) return { kind: "ended" };
  // A block also ends the session. Clients show the user the reason.
  if (user.blocked) return { kind: "blocked" };
  return isSessionActive ? { kind: "live", user, session } : { kind: "ended" };
}

/** Returns the user of a token; undefined if the token is no longer active. */
export async function liveSubject(data: TenantData, token: TokenReference): Promise<TokenSubject | undefined> {
  const status = await tokenStatus(data, token);
  return status.kind === "live" ? status.user : undefined;
}
