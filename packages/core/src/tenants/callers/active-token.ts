import { tokenStatus, type TokenSubject } from "../../tokens/subject.ts";
import type { AccessToken } from "./access-token.ts";
import type { RequestTenant } from "../tenant.ts";
import type { RegisteredClient } from "../../model/clients/client.ts";

/** The user of an access token, and the client that it was issued to. */
interface ActiveToken {
  readonly user: TokenSubject;
  readonly client: RegisteredClient;
}

/**
 * Returns the user and the client of a user's access token if the token is still active. The user must not be blocked,
 * and the session and the grant must not be revoked. The client must still offer the session's connection, and if the
 * token is for an organization, offer it to members of that organization. Costs one round trip to the data store,
 * because settings are cached.
 */
export async function findActiveToken(
  tenant: RequestTenant,
  { subject: userId, clientId, organizationId, userGrant }: AccessToken,
): Promise<ActiveToken | undefined> {
  if (userGrant === undefined) return undefined;
  const [status] = await Promise.all([tokenStatus(tenant.data, { userId, ...userGrant }), tenant.client(clientId)]);
  if (status.kind !== "live") return undefined;
  const { user, session } = status;
  const reference = { clientId, organizationId, connectionId: session?.connection_id };
  // Another process may have enabled the connection since the settings were cached. So this function reads them again
  // before it rejects the token.
  const client = (await findOfferingClient(tenant, reference)) ?? (await findOfferingClient(tenant.uncached(), reference));
  return client && { user, client };
}

/** The settings that a token depends on: its client, and the connection of its session if it has one. */
interface OfferReference {
  readonly clientId: string;
  readonly organizationId: string | undefined;
  readonly connectionId: string | undefined;
}

/** Returns the client if it exists and still offers the connection. */
async function findOfferingClient(
  tenant: RequestTenant,
  { clientId, organizationId, connectionId }: OfferReference,
): Promise<RegisteredClient | undefined> {
  const client = await tenant.client(clientId);
  if (client === undefined || connectionId === undefined) return client;
  return (await tenant.connections.offers(client, connectionId, organizationId)) ? client : undefined;
}
