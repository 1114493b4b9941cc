import { isPosternError } from "@postern/core";
import type { TenantApi } from "@postern/core/api";

/** A session of the tenant, as the app knows it from an ID token. */
interface TenantSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly clientId: string;
  /** The organization that the user signed in to. */
  readonly organizationId: string | undefined;
}

/**
 * Requires that the user may stay signed in to the client: neither the user, the session, the client, the connection
 * nor the membership was removed, revoked or disabled. A session of the tenant that only expired counts while the
 * client holds a refresh token of it.
 * @returns the name of the connection that the session began with; undefined when the session has ended.
 * @throws the errors of the data store, so that an unavailable data store signs no user out.
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
