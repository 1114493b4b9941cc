import { isExternal } from "../model/clients/external.ts";
import { isPublic } from "../model/clients/refresh-token-settings.ts";
import { PosternError } from "../errors.ts";
import { findOne } from "../store/find-one.ts";
import { changeRow } from "../store/change-row.ts";
import { consentOf, findConsent, isCurrentConsent } from "../tokens/consents.ts";
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
  /** Whether the client also asks to act for the user at the API. */
  readonly mayAct: boolean;
}

/**
 * Whether users must consent before a client gets access to their data at an API. A first-party client needs no
 * consent, unless the API requires it from all clients.
 */
export function needsConsent({ record }: RegisteredClient, api: CachedApi | undefined): boolean {
  return !record.is_first_party || api?.settings.skip_consent_for_verifiable_first_party_clients === false;
}

/**
 * Whether a client acts for users: it may exchange an access token that was issued to another client, if the user consented.
 * A public client never acts, because everyone can send requests in its name. Neither does an external client, because no
 * administrator checked it.
 */
export function actsForUsers({ record, settings }: RegisteredClient): boolean {
  return settings.token_exchange?.may_act === true && !isPublic(record.token_endpoint_auth_method) && !isExternal(record);
}

/** Whether the user has already consented to all the scopes, and to the client's acting if it is requested. */
export async function hasConsented(tenant: RequestTenant, subject: ConsentSubject): Promise<boolean> {
  const consent = await findConsent(tenant, subject, await tenant.client(subject.clientId));
  return consent !== undefined && subject.scope.every((value) => consent.scope.includes(value)) && (!subject.mayAct || consent.may_act);
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
 * Records that a user accepted a client which registered itself, so that it is no longer deleted for being unused. Of
 * this write and the start of a deletion, only one succeeds.
 * @throws {PosternError} `invalid_request` if the client was deleted.
 */
async function markUsed(tenant: RequestTenant, clientId: string): Promise<void> {
  const client = await tenant.client(clientId);
  if (client?.record.unused_since === null) return;
  const { clients } = tenant.data;
  const marked = await clients.update({ client_id: clientId, unused_since: { exists: true } }, { set: { unused_since: null } });
  if (marked === 0 && (await clients.count({ client_id: clientId })) === 0)
    throw new PosternError("invalid_request", "the client was deleted before a user accepted it");
}

/**
 * Adds the scopes to the user's stored consent. If parallel requests win every race, nothing is stored, and the user is
 * prompted again at the next login.
 */
export async function rememberConsent(tenant: RequestTenant, subject: ConsentSubject): Promise<void> {
  const { audience, scope, mayAct } = subject;
  const where = await consentOf(subject);
  await markUsed(tenant, subject.clientId);
  const now = tenant.now();
  const id = tenant.random.record("cst_");
  const first = { ...where, id, audience, scope, may_act: mayAct, revision: 0, created_at: now, updated_at: now };
  if (await tenant.data.consents.insert([first])) return;
  const [known, client] = await Promise.all([findOne(tenant.data.consents, where), tenant.client(subject.clientId)]);
  if (known === undefined) return;
  // Changes only the consent with this id. A consent that was revoked and granted again has another id, and must not
  // get the old scopes.
  await changeRow(
    tenant.data.consents,
    { id: known.id },
    (consent) => {
      const { scope: agreed, may_act: acts } = isCurrentConsent(consent, client) ? consent : nothing;
      return { scope: [...new Set([...agreed, ...scope])], may_act: acts || mayAct, updated_at: now };
    },
    known,
  );
}

/** What a consent covers that no longer counts. */
const nothing = { scope: [], may_act: false } as const;
