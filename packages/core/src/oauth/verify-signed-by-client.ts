import { errors, importSPKI, importX509, jwtVerify, type JWTPayload, type JWTVerifyOptions } from "jose";
import type { RegisteredClient } from "../model/clients/client.ts";
import { demandsOn } from "../model/clients/client-demands.ts";
import type { StoredCredential } from "../model/clients/credentials.ts";
import { namesOfAlgorithm } from "../model/keys/algorithms.ts";
import { verifyWithPublishedKeys } from "../tenants/external-clients/client-keys.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** The maximum clock skew, and the maximum lifetime of an assertion and of a FAPI request object, in seconds. */
export const clockTolerance = 10;
export const maximumLifetime = 3600;

/** Returns the forms of the issuer that clients send as the audience of a JWT: with and without the final slash. */
export function issuerAudiences({ urls: { issuer } }: RequestTenant): string[] {
  return [issuer, issuer.replace(/\/$/, "")];
}

/**
 * Verifies a JWT that a client signed: with the keys that an administrator stored for this purpose, or with those that the
 * client published. The client's settings limit the algorithms.
 * @param stored undefined if the published keys count.
 * @throws {Error} if no key verifies the token, or the keys cannot be read. The caller says what was verified.
 */
export async function verifySignedByClient(
  tenant: RequestTenant,
  client: RegisteredClient,
  stored: readonly StoredCredential[] | undefined,
  token: string,
  verification: JWTVerifyOptions & { readonly currentDate: Date },
): Promise<JWTPayload> {
  const options = { ...verification, algorithms: [...demandsOn(client).assertionAlgorithms] };
  return stored === undefined
    ? verifyWithPublishedKeys(tenant, client.record.settings, token, options)
    : verifyWithAny(stored, token, options);
}

async function verifyWithAny(
  credentials: readonly StoredCredential[],
  token: string,
  { algorithms, ...options }: JWTVerifyOptions & { readonly algorithms: readonly string[]; readonly currentDate: Date },
): Promise<JWTPayload> {
  let failure: unknown = new errors.JWKSNoMatchingKey();
  for (const { pem, alg, expires_at: expiresAt } of credentials) {
    if (expiresAt !== undefined && Date.parse(expiresAt) <= options.currentDate.getTime()) continue;
    const allowed = namesOfAlgorithm(alg).filter((name) => algorithms.includes(name));
    try {
      const key = await (pem.includes("BEGIN CERTIFICATE") ? importX509(pem, alg) : importSPKI(pem, alg));
      return (await jwtVerify(token, key, { ...options, algorithms: allowed })).payload;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
