import type { Row } from "../../data/schema.ts";
import { findSubject, type Subject } from "../../domain/tokens/subject.ts";
import { PosternError } from "../../errors.ts";
import type { Tenant } from "../../tenancy/tenant.ts";

const sessionFields = ["revoked_at", "authenticated_at"] as const;

/** A person and their session, as they are now: neither is ever cached. */
export interface LivePerson {
  readonly user: Subject;
  readonly session: Pick<Row<"sessions">, (typeof sessionFields)[number]> | undefined;
}

/**
 * Reads the person and the session behind a code or a token, side by side.
 * A revoked session ends what hangs on it; one that merely expired does not.
 * @param ended what to say where the person or the session is gone.
 * @throws {PosternError} `invalid_grant` where the person or the session is gone, `access_denied` where the person is blocked.
 */
export async function livePerson(
  { data }: Tenant,
  userId: string,
  sessionId: string | null,
  ended = "the session has ended",
): Promise<LivePerson> {
  const [user, [session]] = await Promise.all([
    findSubject(data, userId),
    sessionId === null ? [] : data.sessions.find({ where: { id: sessionId }, fields: sessionFields, limit: 1 }),
  ]);
  if (user === undefined || (sessionId !== null && (session === undefined || session.revoked_at !== null))) {
    throw new PosternError("invalid_grant", ended, { detail: "the person or the session is gone" });
  }
  // The vendor's browser SDK logs out locally on exactly these words.
  if (user.blocked) throw new PosternError("access_denied", "user is blocked");
  return { user, session };
}
