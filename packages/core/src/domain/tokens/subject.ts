import type { Row } from "../../data/schema.ts";
import type { TenantData } from "../../data/tenant-data.ts";
import { isGrantRevoked } from "../refresh-tokens/refresh-token.ts";
import { claimFields } from "./id-token.ts";

const subjectFields = [...claimFields, "blocked"] as const;
const endFields = ["revoked_at"] as const;

/** The person whom a token is about, as far as tokens go: what claims tell, and whether they are blocked. */
export type Subject = Pick<Row<"users">, (typeof subjectFields)[number]>;

/** Reads the person whom a token is about. Metadata, which may be long and which no token tells, is left where it is. */
export async function findSubject(data: TenantData, userId: string): Promise<Subject | undefined> {
  const [user] = await data.users.find({ where: { user_id: userId }, fields: subjectFields, limit: 1 });
  return user;
}

/**
 * The person whom a token is about, while the token is worth something: they are there and not blocked, and neither session nor grant was revoked.
 * All asked side by side, so it costs one round trip. A session that is over and swept was not revoked: its tokens live as long as they say.
 */
export async function liveSubject(
  data: TenantData,
  token: { readonly userId: string; readonly sessionId: string | null; readonly grantId?: string },
): Promise<Subject | undefined> {
  const [user, [session], revoked] = await Promise.all([
    findSubject(data, token.userId),
    token.sessionId === null ? [] : data.sessions.find({ where: { id: token.sessionId }, fields: endFields, limit: 1 }),
    token.grantId === undefined ? false : isGrantRevoked(data, token.grantId),
  ]);
  const ended = revoked || (session !== undefined && session.revoked_at !== null);
  return ended || user?.blocked === true ? undefined : user;
}
