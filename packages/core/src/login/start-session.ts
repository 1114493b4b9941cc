import { sessionStart, type SessionStart } from "../identity/login/sign-in.ts";
import type { Row } from "../store/schema.ts";
import type { AuthTime } from "../identity/sessions/methods.ts";
import { createSession, reauthenticate, type Session } from "../identity/sessions/session.ts";
import { setCookie } from "../http/cookies.ts";
import { isUnproven } from "../model/users/email-proof.ts";
import { forgetConnection, rememberConnection, sessionCookie } from "./cookies.ts";
import type { Interaction } from "./interaction.ts";
import { rememberDevice } from "./remember-device.ts";
import type { AuthenticationRecord } from "./authentication-record.ts";

/** A proof that was just given. */
export interface NewAuthentication {
  readonly method: AuthenticationRecord["method"];
  /** Of the primary account. */
  readonly userId: string;
  /** The account that was proved. */
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
  /** Default: now. Not known for an identity provider that does not say it. */
  readonly authTime?: AuthTime | undefined;
}

/** Where somebody signs in, and who the browser is signed in as so far. */
export type SignInContext = Pick<Interaction, "tenant" | "client" | "browser" | "remembered">;

/** A session that was begun or goes on, the proof that it rests on, and what the browser is given for it. */
export interface StartedSession {
  readonly session: Session;
  readonly proof: AuthenticationRecord;
  readonly cookies: readonly string[];
}

/**
 * The session of whoever just proved themselves. Where the browser holds one of the same account by the same connection, that goes on; any other is left behind:
 * what was begun by another way in may be wanted nowhere where this one is.
 */
export async function startSession(place: SignInContext, given: NewAuthentication): Promise<StartedSession> {
  const { tenant, client, browser } = place;
  const { settings, requestInfo, urls } = tenant;
  const { method, userId, account, connection, authTime } = given;
  const [accountId, connectionId] = [account.user_id, connection.id];
  const proofAt = (at: number): AuthenticationRecord => ({
    method,
    user_id: userId,
    account_id: accountId,
    connection_id: connectionId,
    at,
  });
  const noted = [
    ...lastConnectionCookies(place, given),
    ...(await rememberDevice(place, userId, account.email === "" ? account.phone_verified : !isUnproven(account))),
  ];
  const known = browser?.session;
  if (known?.user_id === userId && known.account_id === accountId && known.connection_id === connectionId) {
    const session = await reauthenticate(tenant, known, method, settings, authTime);
    if (session !== undefined) return { session, proof: proofAt(session.authenticated_at), cookies: noted };
  }
  const cookie = tenant.random.token(32);
  const clientId = client.record.client_id;
  const session = await createSession(tenant, {
    userId,
    accountId,
    connectionId,
    clientId,
    method,
    authTime,
    requestInfo,
    lifetimes: settings,
    cookie,
  });
  const persistent = settings.session_cookie?.mode !== "non-persistent";
  const maxAge = Math.floor((session.expires_at - tenant.now()) / 1000);
  const set = setCookie(urls, sessionCookie(tenant), cookie, persistent ? { maxAge } : {});
  return { session, proof: proofAt(session.authenticated_at), cookies: [set, ...noted] };
}

/** Returns what a sign-in in this browser starts: a session, or the continued one that the browser holds. */
export function browserSession(
  place: SignInContext,
  given: Pick<NewAuthentication, "method" | "connection" | "authTime">,
): SessionStart<StartedSession> {
  return sessionStart(place.tenant, (userId, account) => startSession(place, { ...given, userId, account }));
}

/** Only providers have a button to mark: after another proof none is. */
function lastConnectionCookies({ tenant, remembered }: SignInContext, { method, connection }: NewAuthentication): readonly string[] {
  if (method === "federated") return [rememberConnection(tenant, connection.id)];
  return remembered.connection === undefined ? [] : [forgetConnection(tenant)];
}
