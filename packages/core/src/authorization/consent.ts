import { sha256 } from "../adapters/digest.ts";
import { changeRow } from "../store/change-row.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { CachedApi } from "../tenants/settings-cache.ts";
import type { RegisteredClient } from "../model/clients/client.ts";

/** The access that a user consents to. */
export interface ConsentSubject {
  readonly userId: string;
  readonly clientId: string;
  /** The API's stored identifier; '' for claims about the user only. */
  readonly audience: string;
  readonly scope: readonly string[];
}

/**
 * Whether users must consent before a client gets access to their data at an API. A first-party client needs no
 * consent, unless the API requires it from all clients.
 */
export function needsConsent({ record }: RegisteredClient, api: CachedApi | undefined): boolean {
  return !record.is_first_party || api?.settings.skip_consent_for_verifiable_first_party_clients === false;
}

/** Whether the user has already consented to all the scopes. */
export async function hasConsented(tenant: RequestTenant, { userId, clientId, audience, scope }: ConsentSubject): Promise<boolean> {
  const where = { user_id: userId, client_id: clientId, audience_hash: await sha256(audience) };
  const [[consent], client] = await Promise.all([tenant.data.consents.find({ where, limit: 1 }), tenant.client(clientId)]);
  const agreed = consent === undefined ? [] : scopesOfConsent(consent, client);
  return consent !== undefined && scope.every((value) => agreed.includes(value));
}

/** Returns the scopes that a user consented to since the client last changed where it receives responses. */
function scopesOfConsent({ scope, updated_at: at }: Row<"consents">, client: RegisteredClient | undefined): readonly string[] {
  return at < (client?.record.consents_since ?? 0) ? [] : scope;
}

/**
 * Whether a stored consent lets later requests of a client pass without a page. All users of a program share the client
 * id of its metadata document, and any program on their computer can receive a response at a loopback address. So such
 * a consent counts for one request only.
 */
export function canReuseConsent({ record }: RegisteredClient, redirectUri: string): boolean {
  return record.external_metadata_type !== "cimd" || redirectUri.startsWith("https:");
}

/**
 * Records that a user accepted a client which registered itself, so that it is no longer deleted for being unused. Runs
 * before the consent is stored: a client that is being deleted then gets no consent that outlives it.
 */
async function markUsed(tenant: RequestTenant, clientId: string): Promise<void> {
  const client = await tenant.client(clientId);
  if (client === undefined || client.record.unused_since === null) return;
  await tenant.data.clients.update({ client_id: clientId, unused_since: { exists: true } }, { set: { unused_since: null } });
}

/**
 * Adds the scopes to the user's stored consent. If parallel requests win every race, nothing is stored, and the user is
 * prompted again at the next login.
 */
export async function rememberConsent(tenant: RequestTenant, subject: ConsentSubject): Promise<void> {
  const { userId, clientId, audience, scope } = subject;
  await markUsed(tenant, clientId);
  const where = { user_id: userId, client_id: clientId, audience_hash: await sha256(audience) };
  const now = tenant.now();
  const first = { ...where, id: tenant.random.record("cst_"), audience, scope, revision: 0, created_at: now, updated_at: now };
  if (await tenant.data.consents.insert([first])) return;
  const [[known], client] = await Promise.all([tenant.data.consents.find({ where, limit: 1 }), tenant.client(clientId)]);
  if (known === undefined) return;
  // Changes only the consent with this id. A consent that was revoked and granted again has another id, and must not
  // get the old scopes.
  await changeRow(
    tenant.data.consents,
    { id: known.id },
    (consent) => ({ scope: [...new Set([...scopesOfConsent(consent, client), ...scope])], updated_at: now }),
    known,
  );
}
