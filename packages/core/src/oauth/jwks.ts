import * as z from "zod";
import { isPublished, toPublicJwk } from "../tokens/keys/signing-keys.ts";
import { route } from "../tenants/callers/route-context.ts";

const jwkSchema = z.looseObject({ kty: z.string(), kid: z.string(), use: z.literal("sig"), alg: z.string() }).meta({ id: "Jwk" });

/**
 * The public keys of the issuer (RFC 7517 section 5): the current and the next signing keys, and earlier keys whose
 * tokens may still be valid.
 */
export const jwks = route({
  method: "GET",
  path: "/.well-known/jwks.json",
  summary: "The issuer's public keys",
  scopes: "public",
  cors: "any",
  cache: "public, max-age=60, stale-if-error=86400",
  isServedStale: true,
  responses: { 200: z.strictObject({ keys: z.array(jwkSchema) }).meta({ id: "Jwks" }) },
})(async (_, { tenant }) => {
  const now = tenant.now();
  const keys = (await tenant.signing.ofIssuer()).filter((key) => key.type === "jwt_signing" && isPublished(key, now));
  // If a certificate is renewed, the document changes although the key does not. The signature at the end of a
  // certificate identifies the certificate.
  const name = JSON.stringify(["jwks", ...keys.map(({ kid, certificate }) => [kid, certificate.slice(-100)])]);
  return tenant.documents.get(name, async () => ({ keys: await Promise.all(keys.map((key) => toPublicJwk(key, tenant.keys))) }));
});
