import type { DataContext } from "../../context.ts";
import { accessTokenMemory } from "../../tokens/access-token.ts";
import { lifetimesOf, type Lifetimes, type StoredSession } from "./session.ts";

/** A device on which a user signs in with the help of their browser (RFC 8628). */
interface SignedInDevice {
  readonly clientId: string;
  /** The IP address of the device; null if the host application does not pass it. */
  readonly ip: string | null;
  readonly userAgent: string;
  readonly lifetimes: Lifetimes;
}

/**
 * Creates the session of a device. It starts as the session of the user's browser did: with the same account, connection
 * and authentication methods. After that it is separate, so that the user stays signed in on the device when they sign
 * out in the browser, and can end each of them alone.
 */
export async function createDeviceSession(
  context: DataContext,
  browser: StoredSession,
  { clientId, ip, userAgent, lifetimes }: SignedInDevice,
): Promise<StoredSession> {
  const now = context.now();
  const { absolute, idle } = lifetimesOf(lifetimes);
  const expiresAt = now + absolute;
  const device = { ip, user_agent: userAgent };
  const { user_id, account_id, connection_id, issuer, authentication, authenticated_at } = browser;
  const session: StoredSession = {
    id: context.random.record("sess_"),
    user_id,
    account_id,
    connection_id,
    issuer,
    cookie_hash: null,
    clients: [clientId],
    authentication,
    device: { initial: device, last: device },
    session_metadata: {},
    authenticated_at,
    last_interacted_at: now,
    idle_expires_at: now + idle,
    expires_at: expiresAt,
    revoked_at: null,
    logout_initiator: null,
    logout_at: Math.min(expiresAt, now + idle),
    revision: 0,
    created_at: now,
    updated_at: now,
    purge_at: expiresAt + accessTokenMemory,
  };
  await context.data.sessions.insert([session]);
  return session;
}
