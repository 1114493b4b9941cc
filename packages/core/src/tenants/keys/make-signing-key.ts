import type { SigningAlgorithm } from "../../model/keys/algorithms.ts";
import { shareWork, type SharedWork } from "../../telemetry/shared-work.ts";
import { createSigningKey, defaultValidityDays, type StoredSigningKey } from "../../tokens/keys/signing-keys.ts";
import type { Installation } from "../installation.ts";

const inProgress = new WeakMap<Installation, Map<string, SharedWork<StoredSigningKey>>>();

/**
 * Creates a signing key for an algorithm that a tenant has no key for. The key is active at once. Parallel requests in
 * one process share the key. Two processes may create one key each; then both keys are published.
 */
export function makeSigningKey(installation: Installation, tenantId: string, alg: SigningAlgorithm): Promise<StoredSigningKey> {
  const pending = inProgress.get(installation) ?? new Map<string, SharedWork<StoredSigningKey>>();
  inProgress.set(installation, pending);
  const name = `${tenantId} ${alg}`;
  const known = pending.get(name);
  if (known !== undefined) return known.join();
  const create = () => insert(installation, tenantId, alg).finally(() => pending.delete(name));
  const creation = shareWork(installation.host.telemetry, "create signing_key", create);
  pending.set(name, creation);
  return creation.result;
}

async function insert(installation: Installation, tenantId: string, alg: SigningAlgorithm): Promise<StoredSigningKey> {
  const key = await createSigningKey(installation, tenantId, {
    type: "jwt_signing",
    alg,
    commonName: tenantId,
    validityDays: defaultValidityDays.jwt_signing,
    activatesAt: installation.now(),
  });
  if (!(await installation.scope(tenantId).signing_keys.insert([key]))) throw new Error("a random key id already exists");
  return { ...key, tenant_id: tenantId };
}
