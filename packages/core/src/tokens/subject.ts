import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import { isGrantRevoked } from "./refresh-tokens/refresh-token.ts";
import { claimFields } from "./id-token.ts";

const subjectFields = [...claimFields, "blocked", "linked_to"] as const;
const sessionFields = ["user_id", "connection_id", "revoked_at", "authenticated_at", "authentication"] as const;

/** The columns of a user that tokens need: those of the claims, and whether the user is blocked. */
export type TokenSubject = Pick<Row<"users">, (typeof subjectFields)[number]>;

/** The columns of a session that tokens need. */
export type TokenSession = Pick<Row<"sessions">, (typeof sessionFields)[number]>;

/** The user, session and grant that a token or a code refers to. */
export interface TokenReference {
  readonly userId: string;
  /** null, or '' in an access token, if the token was issued for a refresh token without a session. */
  readonly sessionId: string | null;
  /** Left out if the presented token's own row already shows whether it was revoked. */
  readonly grantId?: string;
}

/** The current status of a token or a code, independent of its content. */
export type TokenStatus =
  | { readonly kind: "live"; readonly user: TokenSubject; readonly session: TokenSession | undefined }
  /** The user is blocked. */
  | { readonly kind: "blocked" }
  /** The user was deleted or linked to another user, or the session or the grant has ended. */
  | { readonly kind: "ended" };

/**
 * Returns the current status of a token or a code. Every endpoint that accepts one calls this function: userinfo,
 * introspection, the token endpoint, the Management API.
 *
 * A revoked session ends its tokens; an expired session does not. The row of a session outlives all its tokens unless
 * its user is deleted. A token whose session row is missing is therefore rejected, even if a new user has the same id.
 * The queries run in parallel and cost one round trip.
 */
export async function tokenStatus(data: TenantData, token: TokenReference): Promise<TokenStatus> {
  const sessionId = token.sessionId ?? "";
  const [[user], [session], revoked] = await Promise.all([
    // Omits the metadata, which may be large and which no token contains.
    data.users.find({ where: { user_id: token.userId }, fields: subjectFields, limit: 1 }),
    sessionId === "" ? [] : data.sessions.find({ where: { id: sessionId }, fields: sessionFields, limit: 1 }),
    token.grantId === undefined ? false : isGrantRevoked(data, token.grantId),
  ]);
  const isSessionActive = sessionId === "" || (session?.revoked_at === null && session.user_id === token.userId);
  if (user === undefined || user.linked_to !== "" || revoked || !isSessionActive) return { kind: "ended" };
  return user.blocked ? { kind: "blocked" } : { kind: "live", user, session };
}

/** The user of a token if the token is still active. */
export async function liveSubject(data: TenantData, token: TokenReference): Promise<TokenSubject | undefined> {
  const status = await tokenStatus(data, token);
  return status.kind === "live" ? status.user : undefined;
}
