import type { DataContext } from "../../context.ts";
import { splitIntoParts } from "../../store/by-ids.ts";
import type { WorkLimit } from "../../store/work-limit.ts";
import { logoutColumns, pendingInitiator, queueLogouts } from "./logouts.ts";
import { isAlive } from "./session.ts";

/** Sessions per query. */
const chunk = 500;

/**
 * Deletes the sessions of at most 50 deleted users, after it has queued the logout tokens for their clients. Idempotent.
 * @throws when `limit` is reached; see {@link WorkLimit.run}.
 */
export async function removeSessionsOfUsers(
  context: Pick<DataContext, "data" | "now">,
  userIds: readonly string[],
  limit: WorkLimit,
): Promise<void> {
  const where = { user_id: { in: userIds } };
  for (;;) {
    const now = context.now();
    const sessions = await context.data.sessions.find({ where, limit: chunk, fields: logoutColumns });
    const notices = sessions.map((session) => {
      const isActive = session.revoked_at === null && isAlive(session, now);
      return { session, initiator: isActive ? ("account-deleted" as const) : pendingInitiator(session, now) };
    });
    await queueLogouts(
      context,
      notices.flatMap(({ session, initiator }) => (initiator === undefined ? [] : [{ session, initiator }])),
    );
    for (const ids of splitIntoParts(sessions.map(({ id }) => id))) await context.data.sessions.delete({ ...where, id: { in: ids } });
    if (sessions.length === 0) return;
    await limit.batch(sessions.length);
    if (sessions.length < chunk) return;
  }
}
