import { sha256 } from "../adapters/digest.ts";
import type { Api, Client, Tenant } from "../tenancy/tenant.ts";

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

/** How often a change is tried against changes of parallel tabs. */
const tries = 5;

/** Remembers what the person allowed, beside what they allowed before. */
export async function rememberConsent({ data, environment }: Tenant, subject: ConsentSubject): Promise<void> {
  const { clock, ids } = environment;
  const where = { user_id: subject.userId, client_id: subject.clientId, audience_hash: await sha256(subject.audience) };
  for (let attempt = 0; attempt < tries; attempt++) {
    const now = clock.now();
    const [known] = await data.consents.find({ where, limit: 1 });
    if (known === undefined) {
      const row = {
        ...where,
        id: ids.record("cst_"),
        audience: subject.audience,
        scope: subject.scope,
        revision: 0,
        created_at: now,
        updated_at: now,
      };
      if (await data.consents.insert([row])) return;
    } else {
      const scope = [...new Set([...known.scope, ...subject.scope])];
      const change = { set: { scope, updated_at: now }, add: { revision: 1 } };
      if ((await data.consents.update({ id: known.id, revision: known.revision }, change)) === 1) return;
    }
  }
}
