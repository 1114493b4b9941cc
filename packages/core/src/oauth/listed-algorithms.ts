import { toSigningAlgorithm, type SigningAlgorithm } from "../model/keys/algorithms.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { isPublished } from "../tokens/keys/signing-keys.ts";

/**
 * Returns the signing algorithms that the tenant lists in discovery: those of its published keys. RS256 is always
 * listed (OpenID Connect Core section 15.1), because any client may be configured to use it. Its key is created on
 * first use.
 */
export async function listedAlgorithms(tenant: RequestTenant): Promise<readonly SigningAlgorithm[]> {
  const now = tenant.now();
  const keys = (await tenant.signing.all()).filter((key) => key.type === "jwt_signing" && isPublished(key, now));
  return [...new Set<SigningAlgorithm>(["RS256", ...keys.map(({ alg }) => toSigningAlgorithm(alg))])];
}
