import type { DataContext, TenantContext } from "../../context.ts";
import { auditUser } from "../../logs/audit.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { isExpired } from "../../tokens/refresh-tokens/refresh-token.ts";
import { revokeSessionsOfUser } from "./revoke-all.ts";
import { isAlive, revokeSession, type StoredSession } from "./session.ts";

/** The maximum number of sessions, and of refresh tokens, that are read. */
const maximum = 100;

/** A session of a user that has not ended, or whose refresh tokens are still valid. */
export interface OwnSession {
  readonly session: StoredSession;
  /** When the session or one of its refresh tokens was used last, in milliseconds since 1970. */
  readonly usedAt: number;
  /** Whether only refresh tokens of the session are valid: the session itself has expired. */
  readonly hasExpired: boolean;
}

/** Returns the sessions that give access to a user's account, the most recently used first. Sends two queries in parallel. */
export async function findOwnSessions(context: DataContext, userId: string): Promise<readonly OwnSession[]> {
  const { data } = context;
  const where = { user_id: userId, revoked_at: null };
  const orderBy = (field: "id") => ({ fields: ["created_at", field], direction: "desc" }) as const;
  const [sessions, tokens] = await Promise.all([
    data.sessions.find({ where, orderBy: orderBy("id"), limit: maximum }),
    data.refresh_tokens.find({ where: { ...where, rotated_at: null }, orderBy: orderBy("id"), limit: maximum }),
  ]);
  const now = context.now();
  const uses = new Map<string, number>();
  for (const token of tokens) {
    const { session_id: id, last_exchanged_at: exchanged, created_at: created } = token;
    if (id !== null && !isExpired(token, now)) uses.set(id, Math.max(uses.get(id) ?? 0, exchanged ?? created));
  }
  return sessions
    .flatMap((session): OwnSession[] => {
      const used = uses.get(session.id);
      const isActive = isAlive(session, now);
      if (!isActive && used === undefined) return [];
      return [{ session, usedAt: Math.max(session.last_interacted_at, used ?? 0), hasExpired: !isActive }];
    })
    .toSorted((one, other) => other.usedAt - one.usedAt);
}

/**
 * Ends a session of a user and revokes its refresh tokens, because the user signs another device out.
 * @returns `false` if the user has no such session, or if it ended before.
 */
export async function endOwnSession(
  tenant: TenantContext,
  user: Pick<Row<"users">, "user_id" | "name">,
  sessionId: string,
): Promise<boolean> {
  const session = await findOne(tenant.data.sessions, { id: sessionId });
  if (session === undefined || session.user_id !== user.user_id) return false;
  if (!(await revokeSession(tenant, session.id, "session-revoked"))) return false;
  await tenant.audit({
    type: "slo",
    description: "The user signed a device out.",
    ...auditUser(user),
    details: { session_id: session.id },
  });
  return true;
}

/** Ends all sessions of a user except one, and revokes their refresh tokens and those without a session. Idempotent. */
export async function endOtherSessions(
  tenant: TenantContext,
  user: Pick<Row<"users">, "user_id" | "name">,
  keepSession: string,
): Promise<void> {
  await revokeSessionsOfUser(tenant, user.user_id, "session-revoked", { keepSession });
  const detached = { user_id: user.user_id, session_id: null, revoked_at: null };
  await tenant.data.refresh_tokens.update(detached, { set: { revoked_at: tenant.now() } });
  await tenant.audit({ type: "slo", description: "The user signed all other devices out.", ...auditUser(user) });
}
