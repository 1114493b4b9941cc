import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { TenantSettings } from "../../model/tenant/settings.ts";
import type { RequestInfo } from "../../context.ts";
import { addMethod, Authentication, type AuthenticationMethod } from "../../model/sessions/authentication.ts";
import { isAuthTimeKnown, type AuthTime } from "./methods.ts";
import { accessTokenMemory } from "../../tokens/access-token.ts";

export type Session = Row<"sessions">;

/** How long sessions live, from the tenant's settings. */
type Lifetimes = Pick<
  TenantSettings,
  | "session_cookie"
  | "session_lifetime_in_minutes"
  | "idle_session_lifetime_in_minutes"
  | "ephemeral_session_lifetime_in_minutes"
  | "idle_ephemeral_session_lifetime_in_minutes"
>;

const minute = 60_000;

/** Milliseconds, from the beginning and from the last use. Where cookies end with the browser (`non-persistent`), sessions have lifetimes of their own. */
function lifetimesOf(settings: Lifetimes): { readonly absolute: number; readonly idle: number } {
  if (settings.session_cookie.mode === "non-persistent") {
    return {
      absolute: settings.ephemeral_session_lifetime_in_minutes * minute,
      idle: settings.idle_ephemeral_session_lifetime_in_minutes * minute,
    };
  }
  return { absolute: settings.session_lifetime_in_minutes * minute, idle: settings.idle_session_lifetime_in_minutes * minute };
}

/** What a new session is made from. */
export interface NewSession {
  /** The primary account. */
  readonly userId: string;
  /** The account that was proved: the same, or one that is linked to it. */
  readonly accountId: string;
  /** The connection by which it was proved. */
  readonly connectionId: string;
  readonly clientId: string;
  /** How the person signed in: `pwd`, `otp` (RFC 8176), `federated`. */
  readonly method: string;
  /** Default: now. */
  readonly authTime?: AuthTime | undefined;
  readonly requestInfo: RequestInfo;
  readonly lifetimes: Lifetimes;
  /** The secret that the browser's cookie will hold; left out for sessions without a browser (password and one-time-code grants). */
  readonly cookie?: string;
}

/** Starts a session. */
export async function createSession(context: DataContext, made: NewSession): Promise<Session> {
  const now = context.now();
  const { requestInfo, lifetimes, method, authTime = { at: now, isKnown: true } } = made;
  const { absolute, idle } = lifetimesOf(lifetimes);
  const expiresAt = now + absolute;
  const device = { ip: requestInfo.ip ?? null, user_agent: requestInfo.userAgent.slice(0, 1000) };
  const session: Session = {
    id: context.random.record("sess_"),
    user_id: made.userId,
    account_id: made.accountId,
    connection_id: made.connectionId,
    cookie_hash: made.cookie === undefined ? null : await sha256(made.cookie),
    clients: [made.clientId],
    authentication: authenticationBy(method, authTime, []),
    device: { initial: device, last: device },
    session_metadata: {},
    authenticated_at: authTime.at,
    last_interacted_at: now,
    idle_expires_at: now + idle,
    expires_at: expiresAt,
    revoked_at: null,
    revision: 0,
    created_at: now,
    updated_at: now,
    purge_at: expiresAt + accessTokenMemory,
  };
  await context.data.sessions.insert([session]);
  return session;
}

/** @param former the methods that the user of the session used before. */
function authenticationBy(method: string, { at, isKnown }: AuthTime, former: readonly AuthenticationMethod[]): Session["authentication"] {
  return { methods: addMethod(former, { name: method, timestamp: at }), ...(!isKnown && { auth_time_unknown: true }) };
}

/** The session that a browser's cookie was made for, also one that is over. */
export async function findBrowserSession(data: TenantData, cookie: string): Promise<Session | undefined> {
  const [session] = await data.sessions.find({ where: { cookie_hash: await sha256(cookie) }, limit: 1 });
  return session;
}

/** Whether a session still signs somebody in. */
export function isAlive(session: Session, now: number): boolean {
  return session.revoked_at === null && session.expires_at > now && session.idle_expires_at > now;
}

/** Notes that the person is about, and that a client uses the session. Where others keep coming first, the client is noted at its next use. */
export async function touchSession(context: DataContext, session: Session, clientId: string, lifetimes: Lifetimes): Promise<void> {
  const where = { id: session.id, revoked_at: null };
  const now = context.now();
  const touched = {
    last_interacted_at: now,
    updated_at: now,
    idle_expires_at: Math.min(session.expires_at, now + lifetimesOf(lifetimes).idle),
  };
  if (session.clients.includes(clientId)) {
    // Nothing that others write meanwhile is lost: no need to compare.
    await context.data.sessions.update(where, { set: touched, add: { revision: 1 } });
    return;
  }
  await changeRow(context.data.sessions, where, ({ clients }) => ({ ...touched, clients: [...new Set([...clients, clientId])] }), session);
}

/**
 * Continues the session of a user who authenticated again: adds the method, and stores the new time of authentication.
 * The cookie stays: tabs that sign in side by side must not end up with a cookie that another tab has replaced.
 * @param authTime Default: now. An identity provider may vouch for an authentication that is older than the one of the
 * session: the later one stands, and a known time stands over an unknown one.
 * @returns undefined if the session was revoked since it was read.
 */
export async function reauthenticate(
  context: DataContext,
  session: Session,
  method: string,
  lifetimes: Lifetimes,
  authTime: AuthTime = { at: context.now(), isKnown: true },
): Promise<Session | undefined> {
  const { sessions } = context.data;
  const where = { id: session.id, revoked_at: null };
  const add = (current: Session): Partial<Session> => reauthentication(context.now(), current, method, lifetimes, authTime);
  const change = await changeRow(sessions, where, add, session);
  if (change.outcome === "absent") return undefined;
  if (change.outcome !== "outrun") return change.row;
  // Many tabs sign in at once. The session goes on, even if the method of another tab may be lost.
  const set = add(change.row);
  const matched = await sessions.update(where, { set, add: { revision: 1 } });
  return matched === 1 ? { ...change.row, ...set, revision: change.row.revision + 1 } : undefined;
}

/** What an authentication changes in a session. */
function reauthentication(now: number, session: Session, method: string, lifetimes: Lifetimes, authTime: AuthTime): Partial<Session> {
  const known: AuthTime = { at: session.authenticated_at, isKnown: isAuthTimeKnown(session) };
  const stands = known.isKnown === authTime.isKnown ? known.at > authTime.at : known.isKnown;
  const latest = stands ? known : authTime;
  return {
    authenticated_at: latest.at,
    last_interacted_at: now,
    idle_expires_at: Math.min(session.expires_at, now + lifetimesOf(lifetimes).idle),
    updated_at: now,
    authentication: authenticationBy(method, latest, Authentication.parse(session.authentication).methods),
  };
}

/** Takes back a session that was begun for a login which did not come about, and whose cookie nobody was given. One that went on is left alone. */
export async function deleteNewSession(data: TenantData, { id }: Session): Promise<void> {
  await data.sessions.delete({ id, revision: 0 });
}

/** Ends a session: it signs nobody in any more, and its refresh tokens are refused. @returns false where it had ended. */
export async function revokeSession(context: DataContext, sessionId: string): Promise<boolean> {
  const now = context.now();
  const matched = await context.data.sessions.update(
    { id: sessionId, revoked_at: null },
    { set: { revoked_at: now, updated_at: now }, add: { revision: 1 } },
  );
  await context.data.refresh_tokens.update({ session_id: sessionId, revoked_at: null }, { set: { revoked_at: now } });
  return matched === 1;
}
