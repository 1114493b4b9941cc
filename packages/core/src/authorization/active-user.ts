import { tokenStatus, type TokenStatus, type TokenReference } from "../tokens/subject.ts";
import { PosternError } from "../errors.ts";
import { userIsBlocked } from "../model/sdk-texts.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** An active user and their session, as they are stored now. Neither is read from a cache. */
export type ActiveUser = Extract<TokenStatus, { kind: "live" }>;

/**
 * Returns the user and the session that a code or a token belongs to.
 * @param ended the error description if the user or the session is no longer active.
 * @throws {PosternError} `invalid_grant` if the user, the session or the grant is no longer active, or if the client no
 * longer offers the connection of the session; `access_denied` if the user is blocked.
 */
export async function requireActiveUser(
  tenant: RequestTenant,
  client: RegisteredClient,
  reference: TokenReference,
  ended = "the session has ended",
): Promise<ActiveUser> {
  const status = await tokenStatus(tenant.data, reference);
  if (status.kind === "live") {
    const { session } = status;
    if (session === undefined || (await tenant.connections.offers(client, session.connection_id))) return status;
    // Another process may have enabled the connection since the settings were cached.
    const fresh = tenant.uncached();
    const current = await fresh.client(client.record.client_id);
    if (current !== undefined && (await fresh.connections.offers(current, session.connection_id))) return status;
    throw new PosternError("invalid_grant", ended, { detail: "the client does not offer the connection of the session" });
  }
  if (status.kind === "blocked") throw new PosternError("access_denied", userIsBlocked);
  throw new PosternError("invalid_grant", ended, { detail: "the user, the session or the grant is no longer active" });
}
