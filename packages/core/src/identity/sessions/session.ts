import type * as z from "zod";
import type { DataContext } from "../../context.ts";
import { sha256 } from "../../adapters/digest.ts";
import { PosternError } from "../../errors.ts";
import { findOne } from "../../store/find-one.ts";
import { changeRow } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import type { TenantData } from "../../store/tenant-data.ts";
import type { SupportedTenantSettings } from "../../model/tenant/settings.ts";
import type { RequestInfo } from "../../context.ts";
import type { PassedFactor } from "../factors/factor-uses.ts";
import { toApiFactorType } from "../../model/factors/factor-types.ts";
import { addMethod, authenticationSchema, factorMethod, type authenticationMethodSchema } from "../../model/sessions/authentication.ts";
import { isAuthTimeKnown, type AuthTime } from "./methods.ts";
import { accessTokenMemory } from "../../tokens/access-token.ts";
import { sessionEnd } from "./session-end.ts";
import type { LogoutInitiator } from "../../model/clients/logout-initiators.ts";

export type StoredSession = Row<"sessions">;

/** The session lifetimes in the tenant's settings. */
export type Lifetimes = Pick<
  SupportedTenantSettings,
  | "session_cookie"
  | "session_lifetime_in_minutes"
  | "idle_session_lifetime_in_minutes"
  | "ephemeral_session_lifetime_in_minutes"
  | "idle_ephemeral_session_lifetime_in_minutes"
>;

const minute = 60_000;

/**
 * Returns the lifetimes of a session in milliseconds: `absolute` from its start, `idle` from its last use. Sessions
 * whose cookies end with the browser (`non-persistent`) have separate settings.
 */
export function lifetimesOf(settings: Lifetimes): { readonly absolute: number; readonly idle: number } {
  if (settings.session_cookie.mode === "non-persistent") {
    return {
      absolute: settings.ephemeral_session_lifetime_in_minutes * minute,
      idle: settings.idle_ephemeral_session_lifetime_in_minutes * minute,
    };
  }
  return { absolute: settings.session_lifetime_in_minutes * minute, idle: settings.idle_session_lifetime_in_minutes * minute };
}

/** The data of a new session. */
interface NewSession {
  /** The primary account. */
  readonly userId: string;
  /** The authenticated account: the primary account, or one that is linked to it. */
  readonly accountId: string;
  /** The connection of the authenticated account. */
  readonly connectionId: string;
  readonly clientId: string;
  /** The issuer under which the user signed in. Logout tokens name it. */
  readonly issuer: string;
  /** The first factor: `pwd`, `otp` (RFC 8176), `federated`, `passkey`. */
  readonly method: string;
  /** Whether a passkey verified the user. */
  readonly userVerified?: boolean | undefined;
  /** The email addresses and phone numbers through which the first factor went. */
  readonly channels?: readonly string[] | undefined;
  /** The second factors that the user passed in this login. */
  readonly factors?: readonly PassedFactor[] | undefined;
  /** Default: now. */
  readonly authTime?: AuthTime | undefined;
  readonly requestInfo: RequestInfo;
  readonly lifetimes: Lifetimes;
  /**
   * The secret in the browser's cookie; left out for sessions without a browser (password and one-time-code grants).
   */
  readonly cookie?: string;
}

/** A first factor, and the second factors after it. */
type Methods = Pick<NewSession, "method" | "userVerified" | "channels" | "factors">;

/** The columns of a session that depend on its user. */
type UserColumn = "user_id" | "account_id" | "connection_id" | "issuer" | "cookie_hash" | "clients" | "authentication" | "authenticated_at";

/**
 * Returns the columns of a new session that do not depend on its user.
 * @param device where the session begins: its IP address and user agent.
 */
export function sessionBeginning(
  context: DataContext,
  device: { readonly ip: string | null; readonly user_agent: string },
  lifetimes: Lifetimes,
): Omit<StoredSession, UserColumn> {
  const now = context.now();
  const { absolute, idle } = lifetimesOf(lifetimes);
  const expiresAt = now + absolute;
  return {
    id: context.random.record("sess_"),
    device: { initial: device, last: device },
    session_metadata: {},
    last_interacted_at: now,
    idle_expires_at: now + idle,
    expires_at: expiresAt,
    revoked_at: null,
    logout_initiator: null,
    // `deliverEvents` postpones it if the session was used in the meantime.
    logout_at: Math.min(expiresAt, now + idle),
    revision: 0,
    created_at: now,
    updated_at: now,
    purge_at: expiresAt + accessTokenMemory,
  };
}

/**
 * Creates a session.
 * @param alongside work that needs the session and runs while it is stored. Default: none.
 */
export async function createSession(
  context: DataContext,
  input: NewSession,
  alongside: (session: StoredSession) => Promise<unknown> = async () => {},
): Promise<StoredSession> {
  const { requestInfo, lifetimes, authTime = { at: context.now(), isKnown: true } } = input;
  const session: StoredSession = {
    user_id: input.userId,
    account_id: input.accountId,
    connection_id: input.connectionId,
    issuer: input.issuer,
    cookie_hash: input.cookie === undefined ? null : await sha256(input.cookie),
    clients: [input.clientId],
    authentication: authenticationBy(input, authTime, []),
    authenticated_at: authTime.at,
    ...sessionBeginning(context, { ip: requestInfo.ip ?? null, user_agent: requestInfo.userAgent.slice(0, 1000) }, lifetimes),
  };
  await Promise.all([context.data.sessions.insert([session]), alongside(session)]);
  return session;
}

/**
 * Returns the stored authentication methods after an authentication. @param former the methods that were used in the
 * session before.
 */
function authenticationBy(
  { method, userVerified, channels, factors = [] }: Methods,
  { at, isKnown }: AuthTime,
  former: readonly z.infer<typeof authenticationMethodSchema>[],
): StoredSession["authentication"] {
  const first = {
    name: method,
    timestamp: at,
    ...(userVerified !== undefined && { user_verified: userVerified }),
    ...(channels !== undefined && { channels: [...channels] }),
  };
  return { methods: [first, ...factors.map(toMethod)].reduce(addMethod, [...former]), ...(!isKnown && { auth_time_unknown: true }) };
}

function toMethod({ type, at }: PassedFactor): z.infer<typeof authenticationMethodSchema> {
  return { name: factorMethod, type: toApiFactorType(type), timestamp: at };
}

/**
 * Adds a second factor to a session (step-up authentication). The time of the first factor stays unchanged.
 * @returns undefined if the session was revoked.
 */
export async function addFactor(context: DataContext, session: StoredSession, factor: PassedFactor): Promise<StoredSession | undefined> {
  return addMethods(context, session, [toMethod(factor)]);
}

/**
 * Adds authentication methods that an Action recorded to a session.
 * @param urls the names of the methods.
 * @returns undefined if the session was revoked.
 */
export async function addCustomMethods(
  context: DataContext,
  session: StoredSession,
  urls: readonly string[],
): Promise<StoredSession | undefined> {
  const timestamp = context.now();
  return addMethods(
    context,
    session,
    urls.map((name) => ({ name, timestamp })),
  );
}

async function addMethods(
  context: DataContext,
  session: StoredSession,
  added: readonly z.infer<typeof authenticationMethodSchema>[],
): Promise<StoredSession | undefined> {
  const add = ({ authentication }: StoredSession): Partial<StoredSession> => {
    const { methods, ...rest } = authenticationSchema.parse(authentication);
    return { authentication: { ...rest, methods: added.reduce(addMethod, methods) }, updated_at: context.now() };
  };
  const change = await changeRow(context.data.sessions, { id: session.id, revoked_at: null }, add, session);
  if (change.outcome === "absent") return undefined;
  if (change.outcome === "lost-race") throw new PosternError("conflict", "the session is being changed by other requests: try again");
  return change.row;
}

/**
 * Finds the session that the secret in a browser's cookie belongs to, even if the session has expired or was revoked.
 */
export async function findBrowserSession(data: TenantData, cookie: string): Promise<StoredSession | undefined> {
  const session = await findOne(data.sessions, { cookie_hash: await sha256(cookie) });
  return session;
}

/** Returns whether a session is active: not revoked and not expired. */
export function isAlive(session: Pick<StoredSession, "revoked_at" | "expires_at" | "idle_expires_at">, now: number): boolean {
  return session.revoked_at === null && session.expires_at > now && session.idle_expires_at > now;
}

/**
 * Stores that the session was used now, and by which client. If parallel requests change the session first each time,
 * the client is stored at its next use.
 */
export async function touchSession(context: DataContext, session: StoredSession, clientId: string, lifetimes: Lifetimes): Promise<void> {
  const where = { id: session.id, revoked_at: null };
  const now = context.now();
  const touched = {
    last_interacted_at: now,
    updated_at: now,
    idle_expires_at: Math.min(session.expires_at, now + lifetimesOf(lifetimes).idle),
  };
  if (session.clients.includes(clientId)) {
    // This update cannot overwrite a parallel change, so it does not compare the revision.
    await context.data.sessions.update(where, { set: touched, add: { revision: 1 } });
    return;
  }
  await changeRow(context.data.sessions, where, ({ clients }) => ({ ...touched, clients: [...new Set([...clients, clientId])] }), session);
}

/**
 * Continues the session of a user who authenticated again: adds the authentication method, and stores the new
 * authentication time. The cookie stays the same. If several tabs sign in at the same time, a new cookie for one tab
 * would replace the cookie of another.
 * @param authTime Default: now. If an identity provider reports an earlier time than the session has, the later time
 * stays. A known time takes precedence over an unknown one, even if it is earlier.
 * @returns undefined if the session was revoked since it was read.
 */
export async function reauthenticate(
  context: DataContext,
  session: StoredSession,
  methods: Methods,
  lifetimes: Lifetimes,
  authTime: AuthTime = { at: context.now(), isKnown: true },
): Promise<StoredSession | undefined> {
  const { sessions } = context.data;
  const where = { id: session.id, revoked_at: null };
  const add = (current: StoredSession): Partial<StoredSession> => reauthentication(context.now(), current, methods, lifetimes, authTime);
  const change = await changeRow(sessions, where, add, session);
  if (change.outcome === "absent") return undefined;
  if (change.outcome !== "lost-race") return change.row;
  // Every attempt lost to a sign-in in another tab. This last write is unconditional: the sign-in succeeds, but the
  // write may overwrite the authentication method that another tab stored.
  const set = add(change.row);
  const matched = await sessions.update(where, { set, add: { revision: 1 } });
  return matched === 1 ? { ...change.row, ...set, revision: change.row.revision + 1 } : undefined;
}

/** Returns the columns of a session that an authentication changes. */
function reauthentication(
  now: number,
  session: StoredSession,
  methods: Methods,
  lifetimes: Lifetimes,
  authTime: AuthTime,
): Partial<StoredSession> {
  const known: AuthTime = { at: session.authenticated_at, isKnown: isAuthTimeKnown(session) };
  const keepsTime = known.isKnown === authTime.isKnown ? known.at > authTime.at : known.isKnown;
  const latest = keepsTime ? known : authTime;
  return {
    authenticated_at: latest.at,
    last_interacted_at: now,
    idle_expires_at: Math.min(session.expires_at, now + lifetimesOf(lifetimes).idle),
    updated_at: now,
    authentication: authenticationBy(methods, latest, authenticationSchema.parse(session.authentication).methods),
  };
}

/**
 * Deletes a session that was created for a login that then failed, and whose cookie was never sent. Keeps a session
 * that was used since.
 */
export async function deleteNewSession(data: TenantData, { id }: StoredSession): Promise<void> {
  await data.sessions.delete({ id, revision: 0 });
}

/**
 * Revokes a session and its refresh tokens.
 * @param initiator why the session ends. Its clients receive it (`sessionEnd`).
 * @returns `false` if the session was revoked before.
 */
export async function revokeSession(context: DataContext, sessionId: string, initiator: LogoutInitiator): Promise<boolean> {
  const now = context.now();
  const matched = await context.data.sessions.update(
    { id: sessionId, revoked_at: null },
    { set: sessionEnd(now, initiator), add: { revision: 1 } },
  );
  await context.data.refresh_tokens.update({ session_id: sessionId, revoked_at: null }, { set: { revoked_at: now } });
  return matched === 1;
}
