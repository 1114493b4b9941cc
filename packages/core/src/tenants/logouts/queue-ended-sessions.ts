import { dataContext } from "../../context.ts";
import { logoutColumns, pendingInitiator, queueLogouts } from "../../identity/sessions/logouts.ts";
import { noPendingLogout } from "../../identity/sessions/session-end.ts";
import type { Collections } from "../../store/contract.ts";
import { splitIntoParts } from "../../store/by-ids.ts";
import type { StoredRow } from "../../store/schema.ts";
import { endOfTurn } from "../../store/turn.ts";
import { findTenant, type Installation } from "../installation.ts";

type EndedSession = Pick<StoredRow<"sessions">, (typeof logoutColumns)[number] | "tenant_id">;

/** Sessions per query. */
const page = 200;

/** Pages per call, so that the deliveries get their turn. */
const maximumPages = 10;

/**
 * Queues the logout tokens of the sessions in one database that were revoked or have expired. The tokens are queued before
 * the session is marked: after a crash, the next call queues them again.
 * @returns whether no further session waits.
 */
export async function queueEndedSessions(installation: Installation, collections: Collections): Promise<boolean> {
  const now = installation.now();
  let after: readonly [number, string, string] | undefined;
  for (let pages = 0; pages < maximumPages; pages++) {
    const sessions = await collections.sessions.find({
      where: { logout_at: { lte: now } },
      orderBy: { fields: ["logout_at", "tenant_id", "id"], direction: "asc" },
      fields: [...logoutColumns, "tenant_id"],
      limit: page,
      ...(after !== undefined && { after }),
    });
    for (const [tenantId, ofTenant] of Map.groupBy(sessions, (session) => session.tenant_id)) {
      try {
        await queueOfTenant(installation, tenantId, ofTenant, now);
      } catch (error) {
        // A tenant whose rows cannot be read must not stop the others.
        installation.host.logger.log({ level: "error", event: "delivery_failed", tenant_id: tenantId, error });
      }
    }
    const last = sessions.at(-1);
    if (last === undefined || sessions.length < page) return true;
    after = [last.logout_at, last.tenant_id, last.id];
    await endOfTurn();
  }
  return false;
}

async function queueOfTenant(installation: Installation, tenantId: string, sessions: readonly EndedSession[], now: number): Promise<void> {
  const context = dataContext(installation, installation.scope(tenantId));
  const notices = sessions.flatMap(({ tenant_id: _, ...session }) => {
    const initiator = pendingInitiator(session, now);
    return initiator === undefined ? [] : [{ session, initiator }];
  });
  // The clients of a tenant that is being deleted receive no logout tokens.
  if ((await findTenant(installation, tenantId)) !== undefined) await queueLogouts(context, notices);
  const marks = { set: { logout_at: noPendingLogout }, add: { revision: 1 } } as const;
  const idsOf = (some: readonly EndedSession[]) => splitIntoParts(some.map(({ id }) => id));
  // A session that was revoked after it was read is handled by the next call.
  const isExpired = (session: EndedSession): boolean => session.revoked_at === null && pendingInitiator(session, now) !== undefined;
  for (const ids of idsOf(sessions.filter(isExpired))) await context.data.sessions.update({ id: { in: ids }, revoked_at: null }, marks);
  for (const ids of idsOf(sessions.filter(({ revoked_at: at }) => at !== null)))
    await context.data.sessions.update({ id: { in: ids } }, marks);
  for (const { id, idle_expires_at, expires_at, logout_at } of sessions.filter((session) => pendingInitiator(session, now) === undefined))
    await context.data.sessions.update(
      { id, revoked_at: null, logout_at },
      { set: { logout_at: Math.min(idle_expires_at, expires_at) }, add: { revision: 1 } },
    );
}
