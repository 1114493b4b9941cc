import { standingOf, type Subject } from "../domain/tokens/subject.ts";
import type { AccessToken } from "./access-token.ts";
import type { Client, Tenant } from "./tenant.ts";

/** Whom a person's access token is about, and the client that it was issued to. */
export interface LiveToken {
  readonly user: Subject;
  readonly client: Client;
}

/**
 * What stands behind a person's access token, while that is worth something: the person is there and not blocked, neither session nor grant was revoked, the client is there, and
 * the connection by which the session began is still offered by the client, and in the token's organization. One round trip; the settings are kept.
 */
export async function liveToken(
  tenant: Tenant,
  { subject: userId, clientId, organizationId, person }: AccessToken,
): Promise<LiveToken | undefined> {
  if (person === undefined) return undefined;
  const [standing, client] = await Promise.all([standingOf(tenant.data, { userId, ...person }), tenant.client(clientId)]);
  if (client === undefined || standing.kind !== "live") return undefined;
  const { user, session } = standing;
  return session === undefined || (await tenant.connections.offers(client, session.connection_id, organizationId))
    ? { user, client }
    : undefined;
}
