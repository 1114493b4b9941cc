import { findConsent } from "../../tokens/consents.ts";
import { tokenStatus, type TokenSubject } from "../../tokens/subject.ts";
import { storedAudience } from "../audience.ts";
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
 * token is for an organization, offer it to members of that organization. If the client acts for the user, the consent to
 * it must not be revoked. Costs one round trip to the data store, because settings are cached.
 */
export async function findActiveToken(tenant: RequestTenant, token: AccessToken): Promise<ActiveToken | undefined> {
  const { subject: userId, clientId, organizationId, userGrant } = token;
  if (userGrant === undefined) return undefined;
  const [status, mayAct] = await Promise.all([
    tokenStatus(tenant.data, { userId, ...userGrant }),
    token.claims["act"] === undefined ? true : hasConsentToAct(tenant, token),
    tenant.client(clientId),
  ]);
  if (status.kind !== "live" || !mayAct) return undefined;
  const { user, session } = status;
  const reference = { clientId, organizationId, connectionId: session?.connection_id };
  // Another process may have enabled the connection since the settings were cached. So this function reads them again
  // before it rejects the token.
  const client = (await findOfferingClient(tenant, reference)) ?? (await findOfferingClient(tenant.uncached(), reference));
  return client && { user, client };
}

/** Whether the user still allows the client of a token to act for them at the token's API. */
async function hasConsentToAct(tenant: RequestTenant, { subject: userId, clientId, audiences }: AccessToken): Promise<boolean> {
  const audience = await storedAudience(tenant, audiences[0] ?? "");
  const consent = audience === null ? undefined : await findConsent(tenant, { userId, clientId, audience }, await tenant.client(clientId));
  return consent?.may_act === true;
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
