import { sha256 } from "../adapters/digest.ts";
import { changeRow } from "../store/change-row.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { Api } from "../tenants/settings-cache.ts";
import type { Client } from "../model/clients/client.ts";

/** What a person may be asked to allow. */
export interface ConsentSubject {
  readonly userId: string;
  readonly clientId: string;
  /** The API's stored identifier; '' for claims about the person alone. */
  readonly audience: string;
  readonly scope: readonly string[];
}

/** Whether people are asked before a client gets anything of theirs at an API. A first-party client asks nobody, unless the API wants everybody asked. */
export function needsConsent({ record }: Client, api: Api | undefined): boolean {
  return !record.is_first_party || api?.settings.skip_consent_for_verifiable_first_party_clients === false;
}

/** Whether the person allowed all of it before. */
export async function hasConsented({ data }: Tenant, { userId, clientId, audience, scope }: ConsentSubject): Promise<boolean> {
  const where = { user_id: userId, client_id: clientId, audience_hash: await sha256(audience) };
  const [consent] = await data.consents.find({ where, limit: 1 });
  return consent !== undefined && scope.every((value) => consent.scope.includes(value));
}

/** Remembers what the person allowed, beside what they allowed before. Where parallel tabs keep coming first nothing is remembered: the client asks again. */
export async function rememberConsent(tenant: Tenant, subject: ConsentSubject): Promise<void> {
  const { userId, clientId, audience, scope } = subject;
  const where = { user_id: userId, client_id: clientId, audience_hash: await sha256(audience) };
  const now = tenant.now();
  const first = { ...where, id: tenant.random.record("cst_"), audience, scope, revision: 0, created_at: now, updated_at: now };
  if (await tenant.data.consents.insert([first])) return;
  const [known] = await tenant.data.consents.find({ where, limit: 1 });
  if (known === undefined) return;
  // By its id: a consent that was withdrawn meanwhile and given anew is another one, to which nothing of the old is added.
  await changeRow(
    tenant.data.consents,
    { id: known.id },
    (consent) => ({ scope: [...new Set([...consent.scope, ...scope])], updated_at: now }),
    known,
  );
}
