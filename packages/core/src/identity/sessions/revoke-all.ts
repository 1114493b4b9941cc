import type { DataContext } from "../../context.ts";
import type { Clock } from "../../adapters/clock.ts";
import type { Match } from "../../store/contract.ts";
import type { Row } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { LogoutInitiator } from "../../model/clients/logout-initiators.ts";
import { sessionEnd } from "./session-end.ts";

/** The maximum number of sessions that one statement revokes. */
const chunk = 50;

/** Selects which sessions of a user to revoke. Default: all sessions. */
interface SessionSelection {
  /** Revokes only sessions that this account started: the primary account, or one that is linked to it. */
  readonly accountId?: string;
  /** A session that stays active. */
  readonly keepSession?: string;
}

/**
 * Revokes sessions of a user and their refresh tokens. Idempotent. The tokens are revoked before the sessions, so that
 * the next call finds the sessions again after a crash.
 * @param initiator why the sessions end. Their clients receive it (`sessionEnd`).
 */
export async function revokeSessionsOfUser(
  context: DataContext,
  userId: string,
  initiator: LogoutInitiator,
  { accountId, keepSession }: SessionSelection = {},
): Promise<void> {
  const where = { user_id: userId, revoked_at: null, ...(accountId !== undefined && { account_id: accountId }) };
  await revokeSessions(context.host.clock, context.data, where, { initiator, keepSession });
}

/**
 * Revokes the sessions that linked accounts started for their primary users, and the refresh tokens of these sessions.
 * Accepts at most 50 accounts. Idempotent.
 * @param initiator why the sessions end.
 */
export async function revokeSessionsOfAccounts(
  context: DataContext,
  accounts: readonly Pick<Row<"users">, "user_id" | "linked_to">[],
  initiator: LogoutInitiator,
): Promise<void> {
  if (accounts.length === 0) return;
  const primaries = [...new Set(accounts.map(({ linked_to: primary }) => primary))];
  const where = { user_id: { in: primaries }, revoked_at: null, account_id: { in: accounts.map(({ user_id: id }) => id) } };
  await revokeSessions(context.host.clock, context.data, where, { initiator });
}

/**
 * Separates refresh tokens of a user from their sessions, so that they stay valid when the sessions are revoked.
 * @param sessionId Default: the tokens of all sessions.
 */
export async function detachRefreshTokens({ data }: DataContext, userId: string, sessionId?: string): Promise<void> {
  const session_id = sessionId ?? { exists: true };
  await data.refresh_tokens.update({ user_id: userId, session_id, revoked_at: null }, { set: { session_id: null } });
}

/**
 * Revokes sessions in chunks and yields to the event loop after each chunk. The tokens are revoked before the sessions,
 * so that the next call finds the sessions again after a crash.
 */
async function revokeSessions(
  clock: Clock,
  data: TenantData,
  where: Match<Row<"sessions">>,
  { initiator, keepSession }: { readonly initiator: LogoutInitiator; readonly keepSession?: string | undefined },
): Promise<void> {
  for (;;) {
    const sessions = await data.sessions.find({ where, limit: chunk, fields: ["id"] });
    const ids = sessions.map(({ id }) => id).filter((id) => id !== keepSession);
    if (ids.length > 0) {
      const now = clock.now();
      await data.refresh_tokens.update({ session_id: { in: ids }, revoked_at: null }, { set: { revoked_at: now } });
      await data.sessions.update({ id: { in: ids }, revoked_at: null }, { set: sessionEnd(now, initiator), add: { revision: 1 } });
    }
    if (sessions.length < chunk) return;
    await endOfTurn();
  }
}
