import * as z from "zod";
import { sha256 } from "../../adapters/digest.ts";
import type { DataContext } from "../../context.ts";
import { isLogoutInitiator, type LogoutInitiator } from "../../model/clients/logout-initiators.ts";
import { oidcLogoutSchema } from "../../model/clients/settings.ts";
import { readStored } from "../../model/settings.ts";
import { findByIds, splitIntoParts } from "../../store/by-ids.ts";
import type { Row } from "../../store/schema.ts";
import { deliverableUrls, isInitiatorSelected } from "./logout-settings.ts";
import { noPendingLogout } from "./session-end.ts";
import { isAlive } from "./session.ts";

type Context = Pick<DataContext, "data" | "now">;
type Delivery = Row<"logout_deliveries">;

/** The columns of a session that its logout tokens depend on. */
export const logoutColumns = [
  "id",
  "user_id",
  "issuer",
  "clients",
  "session_metadata",
  "idle_expires_at",
  "expires_at",
  "revoked_at",
  "logout_initiator",
  "logout_at",
] as const satisfies readonly (keyof Row<"sessions">)[];

/** A session with the columns that its logout tokens depend on. */
type LogoutSession = Pick<Row<"sessions">, (typeof logoutColumns)[number]>;

/** A session, and the reason that its clients receive logout tokens for. */
interface SessionNotice {
  readonly session: LogoutSession;
  readonly initiator: LogoutInitiator;
}

/** Milliseconds after which a delivery is given up. A client that is unavailable for longer misses the logout. */
const lifetime = 24 * 3_600_000;

/** Milliseconds after which the record of a failed delivery is deleted. */
const memory = 7 * 24 * 3_600_000;

/** Sessions per query. */
const chunk = 500;

const settingsPart = z.object({ oidc_logout: oidcLogoutSchema }).exactPartial();

/**
 * Returns why a session ended, if its logout tokens are not queued yet. Undefined for an active session, and for a session
 * whose logout tokens are queued.
 */
export function pendingInitiator(session: LogoutSession, now: number): LogoutInitiator | undefined {
  if (session.logout_at === noPendingLogout) return undefined;
  if (session.revoked_at !== null) return isLogoutInitiator(session.logout_initiator) ? session.logout_initiator : undefined;
  return isAlive(session, now) ? undefined : "session-expired";
}

/**
 * Queues logout tokens for the clients of sessions that have a logout URL and selected the initiator. Without such
 * clients, nothing is written. Idempotent until the tokens are delivered; a delivery that was given up is tried again.
 */
export async function queueLogouts(context: Context, notices: readonly SessionNotice[]): Promise<void> {
  const { data } = context;
  const clients = await findByIds(
    data.clients,
    "client_id",
    notices.flatMap(({ session }) => session.clients),
  );
  const logouts = new Map(clients.map((client) => [client.client_id, readStored(settingsPart, client.settings).oidc_logout ?? {}]));
  const rows: Delivery[] = [];
  for (const { session, initiator } of notices) {
    for (const clientId of new Set(session.clients)) {
      const settings = logouts.get(clientId) ?? {};
      if (!isInitiatorSelected(initiator, settings)) continue;
      const metadata = settings.backchannel_logout_session_metadata?.include === true ? session.session_metadata : null;
      for (const url of deliverableUrls(settings)) rows.push(await deliveryOf(context, session, { clientId, url, initiator, metadata }));
    }
  }
  for (const part of splitIntoParts(rows)) {
    if (await data.logout_deliveries.insert(part)) continue;
    for (const row of part) await insertOrReopen(context, row);
  }
}

/**
 * Queues logout tokens for the clients of a user's active sessions, which continue. Call it before the change that it is
 * about, so that a crash loses no logout token, or after the change if a request that is sent again repeats the call.
 * @param userId the primary account.
 */
export async function queueLogoutsOfUser(context: Context, userId: string, initiator: LogoutInitiator): Promise<void> {
  const now = context.now();
  for (let after: readonly [number, string] | undefined; ;) {
    const sessions = await context.data.sessions.find({
      where: { user_id: userId, revoked_at: null, expires_at: { gt: now }, idle_expires_at: { gt: now } },
      orderBy: { fields: ["created_at", "id"], direction: "asc" },
      fields: [...logoutColumns, "created_at"],
      limit: chunk,
      ...(after !== undefined && { after }),
    });
    await queueLogouts(
      context,
      sessions.map((session) => ({ session, initiator })),
    );
    const last = sessions.at(-1);
    if (last === undefined || sessions.length < chunk) return;
    after = [last.created_at, last.id];
  }
}

/** Queues logout tokens for a user of whom factors are about to be removed, if a confirmed phone is among them. */
export async function queuePhoneLogouts(
  context: Context,
  userId: string,
  removed: readonly Pick<Row<"factors">, "type" | "confirmed_at">[],
): Promise<void> {
  if (removed.some(({ type, confirmed_at: confirmedAt }) => type === "phone" && confirmedAt !== null))
    await queueLogoutsOfUser(context, userId, "mfa-phone-unenrolled");
}

/** The properties in which the deliveries of one session differ. */
interface Destination {
  readonly clientId: string;
  readonly url: string;
  readonly initiator: LogoutInitiator;
  /** Null if the client does not want the metadata of the session. */
  readonly metadata: Delivery["session_metadata"];
}

async function deliveryOf(
  context: Context,
  { id: sessionId, user_id, issuer }: LogoutSession,
  { clientId, url, initiator, metadata }: Destination,
): Promise<Delivery> {
  const now = context.now();
  return {
    // The same id for the same delivery: an attempt that a crash interrupted does not queue it twice.
    id: `lgo_${await sha256(JSON.stringify([sessionId, clientId, initiator, url]))}`,
    client_id: clientId,
    url,
    session_id: sessionId,
    user_id,
    issuer,
    initiator,
    session_metadata: metadata,
    ...openAt(now),
    leased_until: 0,
    served_at: 0,
    revision: 0,
    created_at: now,
  };
}

/** Returns the columns of a delivery that can be attempted from now on, for the first time or again. */
function openAt(now: number): Pick<Delivery, "state" | "failures" | "last_error" | "next_at" | "expires_at" | "purge_at"> {
  return { state: "open", failures: 0, last_error: "", next_at: now, expires_at: now + lifetime, purge_at: now + memory };
}

/**
 * Makes a delivery due at once, also if it was given up. A delivery that a process is sending at the moment stays as it is.
 * @returns `false` if there is no such delivery.
 */
export async function retryDelivery(context: Context, id: string): Promise<boolean> {
  const now = context.now();
  const change = { set: openAt(now), add: { revision: 1 } } as const;
  if ((await context.data.logout_deliveries.update({ id, leased_until: { lte: now } }, change)) === 1) return true;
  return (await context.data.logout_deliveries.count({ id })) === 1;
}

async function insertOrReopen(context: Context, row: Delivery): Promise<void> {
  if (await context.data.logout_deliveries.insert([row])) return;
  await context.data.logout_deliveries.update({ id: row.id, state: "failed" }, { set: openAt(row.created_at), add: { revision: 1 } });
}
