import { isPosternError } from "@postern/core";
import type { TenantApi } from "@postern/core/api";

/** Who signed in, in which session of the tenant. */
export interface SignedIn {
  readonly userId: string;
  readonly sessionId: string;
  readonly clientId: string;
}

/**
 * Whether a sign-in still counts: the person is there and not blocked, and the tenant's session is live. A session that has merely expired does not end what the app was given for longer:
 * a refresh token that came of it counts as well. One that was revoked (a logout, a new password, an administrator) takes its refresh tokens along.
 * @throws whatever the data store throws: a store that is away signs nobody out.
 */
export async function isStillLive(api: TenantApi, { userId, sessionId, clientId }: SignedIn): Promise<boolean> {
  const [user, session] = await Promise.all([unlessMissing(api.users.get(userId)), unlessMissing(api.sessions.get(sessionId))]);
  if (user === undefined || user.blocked === true) return false;
  if (session !== undefined) return session.user_id === userId;
  let from: string | undefined;
  do {
    const page = await api.users.refreshTokens.list(userId, { take: 100, from });
    if (page.tokens.some((token) => token.session_id === sessionId && token.client_id === clientId && token.revoked_at === undefined))
      return true;
    from = page.next;
  } while (from !== undefined);
  return false;
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    if (isPosternError(error) && error.code === "not_found") return undefined;
    throw error;
  });
}
