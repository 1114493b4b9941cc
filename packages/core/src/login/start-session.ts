import { sessionStart, type SessionStart } from "../identity/login/sign-in.ts";
import type { Row } from "../store/schema.ts";
import type { AuthTime } from "../identity/sessions/methods.ts";
import { createSession, reauthenticate, type StoredSession } from "../identity/sessions/session.ts";
import { accessColumns } from "../identity/users/account-access.ts";
import { setCookie } from "../http/cookies.ts";
import { isUnproven } from "../model/users/email-proof.ts";
import { forgetConnection, rememberConnection, sessionCookie } from "./cookies.ts";
import type { Interaction } from "./interaction.ts";
import { rememberDevice } from "./remember-device.ts";
import type { AuthenticationRecord, FactorRecord } from "./authentication-record.ts";
import { claimsAddress, type DemandingProgress } from "../authorization/step-up/demands.ts";
import { isFactorMissing } from "../authorization/step-up/sign-in.ts";
import type { PendingSignIn } from "./pending-sign-in.ts";
import { sealCookies } from "./submitted-form.ts";

/** The data about an authentication that just succeeded. */
interface NewAuthentication {
  readonly method: AuthenticationRecord["method"];
  /** Whether a passkey verified the user. */
  readonly userVerified?: boolean | undefined;
  /** The email addresses and phone numbers through which the authentication went. Default: none. */
  readonly channels?: readonly string[] | undefined;
  /** The second factors that the user passed before the first one, to set a new password. */
  readonly factors?: readonly FactorRecord[] | undefined;
  /** The primary account. */
  readonly primary: Row<"users">;
  /** The account that was authenticated. */
  readonly account: Row<"users">;
  readonly connection: Row<"connections">;
  /** When the user authenticated. Default: now. The time is unknown if an identity provider does not send it. */
  readonly authTime?: AuthTime | undefined;
}

/**
 * The tenant, the client, and the data about the browser with which the user signs in. `request` is undefined if no
 * authorization request is known.
 */
export type SignInContext = Pick<Interaction, "tenant" | "client" | "browser" | "remembered"> & {
  readonly request?: Pick<Interaction["request"], "required_acrs" | "acr_voluntary">;
  readonly api?: Interaction["api"];
  readonly progress?: DemandingProgress;
};

/** A new or continued session, the authentication that it rests on, and the cookies for the browser. */
export interface StartedSession {
  readonly session: StoredSession;
  readonly proof: AuthenticationRecord;
  readonly cookies: readonly string[];
  /** The cookies, encrypted by `sealCookies`. */
  readonly sealedCookies: string;
}

/** A sign-in for which no session was started, because the user must pass a second factor first. */
export interface StartedPending {
  readonly session?: undefined;
  readonly pending: PendingSignIn;
}

/**
 * Starts a session for a user who passed the first factor, unless the user must pass a second factor first
 * ({@link isFactorMissing}).
 */
export async function startSignIn(place: SignInContext, given: NewAuthentication): Promise<StartedSession | StartedPending> {
  const { factors } = given;
  if (!(await isFactorMissing(place, { ...given, passed: factors }))) return startSession(place, given, factors);
  const { method, userVerified, channels = [], primary, account, connection, authTime } = given;
  return {
    pending: {
      proof: {
        method,
        user_id: primary.user_id,
        account_id: account.user_id,
        connection_id: connection.id,
        at: place.tenant.now(),
        ...(userVerified !== undefined && { user_verified: userVerified }),
      },
      channels: [...channels],
      ...(claimsAddress(account, { method, channels }) && { claims_address: true as const }),
      ...(authTime && { auth_time: authTime }),
      access: accessColumns(account),
    },
  };
}

/**
 * Starts a session for a user who just authenticated with all required factors, or continues the browser's session if it has the same account and
 * connection. Any other session is replaced, because a client or an organization may allow only one of the two
 * connections.
 */
export async function startSession(
  place: SignInContext,
  given: NewAuthentication,
  factors: readonly FactorRecord[] = [],
): Promise<StartedSession> {
  const { tenant, client, browser } = place;
  const { settings, requestInfo, urls } = tenant;
  const { method, userVerified, channels = [], primary, account, connection, authTime } = given;
  const [userId, accountId, connectionId] = [primary.user_id, account.user_id, connection.id];
  const proofAt = (at: number): AuthenticationRecord => ({
    method,
    user_id: userId,
    account_id: accountId,
    connection_id: connectionId,
    at,
    ...(userVerified !== undefined && { user_verified: userVerified }),
  });
  const noted = [
    ...lastConnectionCookies(place, given),
    ...(await rememberDevice(place, userId, account.email === "" ? account.phone_verified : !isUnproven(account))),
  ];
  const known = browser?.session;
  if (known?.user_id === userId && known.account_id === accountId && known.connection_id === connectionId) {
    const [session, sealedCookies] = await Promise.all([
      reauthenticate(tenant, known, { method, userVerified, channels, factors }, settings, authTime),
      sealCookies(tenant, known, noted),
    ]);
    if (session !== undefined) return { session, proof: proofAt(session.authenticated_at), cookies: noted, sealedCookies };
  }
  const cookie = tenant.random.token(32);
  const clientId = client.record.client_id;
  const persistent = settings.session_cookie?.mode !== "non-persistent";
  const cookiesOf = ({ expires_at: expiresAt }: StoredSession): readonly string[] => {
    const maxAge = Math.floor((expiresAt - tenant.now()) / 1000);
    return [setCookie(urls, sessionCookie(tenant), cookie, persistent ? { maxAge } : {}), ...noted];
  };
  let sealedCookies = "";
  const input = {
    userId,
    accountId,
    connectionId,
    clientId,
    issuer: urls.issuer,
    method,
    userVerified,
    channels,
    factors,
    authTime,
    requestInfo,
    lifetimes: settings,
    cookie,
  };
  // The cookies are encrypted while the session is stored, so that the login takes no longer.
  const session = await createSession(tenant, input, async (created) => {
    sealedCookies = await sealCookies(tenant, created, cookiesOf(created));
  });
  return { session, proof: proofAt(session.authenticated_at), cookies: cookiesOf(session), sealedCookies };
}

/**
 * Returns the functions that start or continue the session for a sign-in in this browser, and that delete it if the
 * sign-in fails after all.
 */
export function browserSession(
  place: SignInContext,
  given: Omit<NewAuthentication, "primary" | "account" | "channels">,
): SessionStart<StartedSession | StartedPending> {
  return sessionStart(place.tenant, (primary, account, channels) => startSignIn(place, { ...given, primary, account, channels }));
}

/**
 * Remembers the connection that the user signed in with, if it belongs to an identity provider: pages mark its button.
 * A sign-in with another authentication method removes the mark.
 */
function lastConnectionCookies({ tenant, remembered }: SignInContext, { method, connection }: NewAuthentication): readonly string[] {
  if (method === "federated") return [rememberConnection(tenant, connection.id)];
  return remembered.connection === undefined ? [] : [forgetConnection(tenant)];
}
