import type { Row } from "../data/schema.ts";
import { createSession, reauthenticate, type Session } from "../domain/sessions/session.ts";
import { setCookie } from "../http/cookies.ts";
import { sessionCookie } from "./cookies.ts";
import type { OpenLogin } from "../auth/login-steps.ts";

/** A session that was begun or goes on, and what the browser is given for it. */
export interface BegunSession {
  readonly session: Session;
  readonly cookies: readonly string[];
}

/**
 * The session of whoever just proved themselves. Where the browser holds one of the same account by the same connection, that goes on; any other is left behind:
 * what was begun by another way in may be wanted nowhere where this one is.
 * @param userId of the primary account.
 */
export async function beginSession(
  { tenant, client, signedIn }: OpenLogin,
  userId: string,
  { user_id: accountId }: Row<"users">,
  { id: connectionId }: Row<"connections">,
): Promise<BegunSession> {
  const { environment, data, settings, requestInfo, urls } = tenant;
  const known = signedIn?.session;
  if (known?.user_id === userId && known.account_id === accountId && known.connection_id === connectionId) {
    const session = await reauthenticate(environment, data, known, "pwd", settings);
    if (session !== undefined) return { session, cookies: [] };
  }
  const cookie = environment.ids.token(32);
  const clientId = client.record.client_id;
  const made = { userId, accountId, connectionId, clientId, method: "pwd", requestInfo, lifetimes: settings, cookie };
  const session = await createSession(environment, data, made);
  const persistent = settings.session_cookie?.mode !== "non-persistent";
  const maxAge = Math.floor((session.expires_at - environment.clock.now()) / 1000);
  return { session, cookies: [setCookie(urls, sessionCookie(tenant), cookie, persistent ? { maxAge } : {})] };
}
