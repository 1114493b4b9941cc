import type { Row } from "../store/schema.ts";
import type { TenantData } from "../store/tenant-data.ts";
import { isGrantRevoked } from "./refresh-tokens/refresh-token.ts";
import { claimFields } from "./id-token.ts";

const subjectFields = [...claimFields, "blocked", "linked_to"] as const;
const sessionFields = ["user_id", "connection_id", "revoked_at", "authenticated_at", "authentication"] as const;

/** The person whom a token is about, as far as tokens go: what claims tell, and whether they are blocked. */
export type Subject = Pick<Row<"users">, (typeof subjectFields)[number]>;

/** The session that a token is of, as far as tokens go. */
export type TokenSession = Pick<Row<"sessions">, (typeof sessionFields)[number]>;

/** What a token or a code refers to. */
export interface TokenReference {
  readonly userId: string;
  /** null, or '' in an access token, for what came of a refresh token without a session. */
  readonly sessionId: string | null;
  /** Left out where what is presented says by itself whether it was revoked. */
  readonly grantId?: string;
}

/** What a token or a code is worth now, whatever it says itself. */
export type TokenStatus =
  | { readonly kind: "live"; readonly user: Subject; readonly session: TokenSession | undefined }
  /** The person is blocked. */
  | { readonly kind: "blocked" }
  /** The person is gone or was linked to another, or session or grant has ended. */
  | { readonly kind: "ended" };

/**
 * What a token or a code is worth now. Everything that takes one asks here: userinfo, introspection, the grants, the Management API.
 *
 * A session that was revoked ends what hangs on it; one that merely expired does not. The row of a session outlives all its tokens, unless its person is deleted:
 * so a token whose session is not there is refused, also when somebody comes under the same id. All is asked side by side, and so costs one round trip.
 */
export async function tokenStatus(data: TenantData, token: TokenReference): Promise<TokenStatus> {
  const sessionId = token.sessionId ?? "";
  const [[user], [session], revoked] = await Promise.all([
    // Metadata, which may be long and which no token tells, is left where it is.
    data.users.find({ where: { user_id: token.userId }, fields: subjectFields, limit: 1 }),
    sessionId === "" ? [] : data.sessions.find({ where: { id: sessionId }, fields: sessionFields, limit: 1 }),
    token.grantId === undefined ? false : isGrantRevoked(data, token.grantId),
  ]);
  const sessionHolds = sessionId === "" || (session?.revoked_at === null && session.user_id === token.userId);
  if (user === undefined || user.linked_to !== "" || revoked || !sessionHolds) return { kind: "ended" };
  return user.blocked ? { kind: "blocked" } : { kind: "live", user, session };
}

/** The person whom a token is about, while the token is worth something. */
export async function liveSubject(data: TenantData, token: TokenReference): Promise<Subject | undefined> {
  const standing = await tokenStatus(data, token);
  return standing.kind === "live" ? standing.user : undefined;
}
