import type { DataContext } from "../../context.ts";
import { sessionBeginning, type Lifetimes, type StoredSession } from "./session.ts";

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
  const { user_id, account_id, connection_id, issuer, authentication, authenticated_at } = browser;
  const session: StoredSession = {
    user_id,
    account_id,
    connection_id,
    issuer,
    cookie_hash: null,
    clients: [clientId],
    authentication,
    authenticated_at,
    ...sessionBeginning(context, { ip, user_agent: userAgent }, lifetimes),
  };
  await context.data.sessions.insert([session]);
  return session;
}
