import type { SigningKey } from "../../domain/keys/signing-keys.ts";
import type { Tenant } from "../../tenancy/tenant.ts";

/**
 * The key that signs for a tenant now: its own where it has one, else the control plane's.
 * @param alg preferred where several algorithms are active at once.
 */
export async function signingKey(tenant: Tenant, alg: string): Promise<SigningKey> {
  const key = await tenant.currentKey("jwt_signing", alg);
  if (key === undefined) throw new Error(`the tenant '${tenant.id}' has no signing key`);
  return key;
}
