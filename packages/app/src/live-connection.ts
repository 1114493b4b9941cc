import { isPosternError } from "@postern/core";
import type { TenantApi } from "@postern/core/api";

/** A session at the tenant, as the app knows it from the claims of an ID token. */
interface TenantSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly clientId: string;
  /** The id of the organization that the user signed in to. */
  readonly organizationId: string | undefined;
}

/**
 * Checks that the user may stay signed in to the client. The user, the session at the tenant, the client, the
 * connection and, for a session in an organization, the membership must still exist and be active. An expired session
 * at the tenant counts as active while the client holds a valid refresh token from it.
 * @returns the name of the connection that the session began with; undefined if the user must sign in again.
 * @throws if the data store is unavailable, so that an outage signs no user out.
 */
export async function liveConnection(
  api: TenantApi,
  { userId, sessionId, clientId, organizationId }: TenantSession,
): Promise<string | undefined> {
  if (sessionId === "") return undefined;
  const query = organizationId === undefined ? {} : { organization_id: organizationId };
  const session = await unlessMissing(api.sessions.clients.get(sessionId, clientId, query));
  return session?.user_id === userId ? session.connection : undefined;
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    if (isPosternError(error) && error.code === "not_found") return undefined;
    throw error;
  });
}
