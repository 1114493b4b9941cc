import { tokenStatus, type Subject } from "../../tokens/subject.ts";
import type { AccessToken } from "./access-token.ts";
import type { Tenant } from "../tenant.ts";
import type { Client } from "../../model/clients/client.ts";

/** Whom a person's access token is about, and the client that it was issued to. */
export interface ActiveToken {
  readonly user: Subject;
  readonly client: Client;
}

/**
 * What stands behind a person's access token, while that is worth something: the person is there and not blocked, neither session nor grant was revoked, the client is there, and
 * the connection by which the session began is still offered by the client, and in the token's organization. One round trip; the settings are kept.
 */
export async function findActiveToken(
  tenant: Tenant,
  { subject: userId, clientId, organizationId, person }: AccessToken,
): Promise<ActiveToken | undefined> {
  if (person === undefined) return undefined;
  const [standing] = await Promise.all([tokenStatus(tenant.data, { userId, ...person }), tenant.client(clientId)]);
  if (standing.kind !== "live") return undefined;
  const { user, session } = standing;
  const reference = { clientId, organizationId, connectionId: session?.connection_id };
  // Another process may have enabled the connection since the settings were cached: read them again before a refusal.
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
async function findOfferingClient(tenant: Tenant, { clientId, organizationId, connectionId }: OfferReference): Promise<Client | undefined> {
  const client = await tenant.client(clientId);
  if (client === undefined || connectionId === undefined) return client;
  return (await tenant.connections.offers(client, connectionId, organizationId)) ? client : undefined;
}
