import type { SigningAlgorithm } from "../../model/keys/algorithms.ts";
import { createSigningKey, defaultValidityDays, type SigningKey } from "../../tokens/keys/signing-keys.ts";
import type { Installation } from "../installation.ts";

const underWay = new WeakMap<Installation, Map<string, Promise<SigningKey>>>();

/**
 * Makes a key of an algorithm that a tenant has none of, which may be its first. It signs at once. Requests of one process that need it at the same time wait for one key;
 * two processes may make one each, and both are published.
 */
export function makeSigningKey(installation: Installation, tenantId: string, alg: SigningAlgorithm): Promise<SigningKey> {
  const pending = underWay.get(installation) ?? new Map<string, Promise<SigningKey>>();
  underWay.set(installation, pending);
  const name = `${tenantId} ${alg}`;
  const known = pending.get(name);
  if (known !== undefined) return known;
  const making = insert(installation, tenantId, alg).finally(() => pending.delete(name));
  pending.set(name, making);
  return making;
}

async function insert(installation: Installation, tenantId: string, alg: SigningAlgorithm): Promise<SigningKey> {
  const key = await createSigningKey(installation, tenantId, {
    type: "jwt_signing",
    alg,
    commonName: tenantId,
    validityDays: defaultValidityDays.jwt_signing,
    activatesAt: installation.now(),
  });
  if (!(await installation.scope(tenantId).signing_keys.insert([key]))) throw new Error("a random key is taken");
  return { ...key, tenant_id: tenantId };
}
