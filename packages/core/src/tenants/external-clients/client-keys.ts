import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
} from "jose";
import * as z from "zod";
import type { ServiceContext } from "../../context.ts";
import type { Fetched } from "../../process-state/client-documents.ts";
import { externalSettings } from "../../model/clients/external.ts";
import type { JsonObject } from "../../store/value.ts";
import { DocumentUnavailableError, fetchPublicDocument } from "./fetch-public.ts";

/** The maximum size of a key set, in bytes. */
const maximumBytes = 12 * 1024;

/** Milliseconds until a key set may be fetched again because a signature names a key that it does not contain. */
const refetchInterval = 60_000;

/** The largest clock difference, in milliseconds, that the callers accept. */
const maximumClockSkew = 60_000;

const text = z.string();
const keySetSchema = z.object({
  keys: z.array(z.looseObject({ kty: text, kid: text.exactOptional(), alg: text.exactOptional() })).max(20),
});

/**
 * Verifies a JWT with the keys that a client published by value or at its `jwks_uri`. A set without the key is
 * fetched again, at most once a minute, and only for a token that is plausible without a key. If the client's server
 * fails, keys from the last 24 hours still count. Without such keys, the next request to the server is sent after ten
 * seconds.
 * @throws {errors.JOSEError} if no key verifies the token.
 * @throws {DocumentUnavailableError} if the keys are unknown and cannot be fetched.
 */
export async function verifyWithPublishedKeys(
  service: ServiceContext,
  settings: JsonObject,
  token: string,
  options: JWTVerifyOptions & { readonly algorithms: string[]; readonly currentDate: Date },
): Promise<JWTPayload> {
  const { jwks, jwks_uri: url } = externalSettings(settings);
  const verify = async (keys: JSONWebKeySet) => (await jwtVerify(token, createLocalJWKSet(keys), options)).payload;
  if (url === undefined) return verify(toKeySet(jwks ?? { keys: [] }));
  const cache = service.processState.clientKeys;
  requirePlausible(token, options);
  const load = () => cache.load(url, () => readKeys(service, url));
  const known = cache.fresh(url) ?? (await load().catch((error: unknown) => staleKeys(cache.stale(url), error)));
  try {
    return await verify(known);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey) || cache.age(url) < refetchInterval) throw error;
    return verify(await load());
  }
}

/**
 * Requires an allowed algorithm, the issuer and the audience, and that the token has not expired. None of this needs a
 * key, so a token that fails here causes no request.
 * @throws {errors.JOSEError}
 */
function requirePlausible(
  token: string,
  { algorithms, issuer, audience, currentDate }: JWTVerifyOptions & { readonly algorithms: readonly string[]; readonly currentDate: Date },
): void {
  const { alg = "" } = decodeProtectedHeader(token);
  if (!algorithms.includes(alg)) throw new errors.JOSEAlgNotAllowed();
  const payload = decodeJwt(token);
  const { iss, aud, exp = Infinity } = payload;
  if (iss !== issuer) throw new errors.JWTClaimValidationFailed("another issuer", payload, "iss");
  const audiences = [audience ?? []].flat();
  if (audiences.length > 0 && ![aud ?? []].flat().some((one) => audiences.includes(one)))
    throw new errors.JWTClaimValidationFailed("another audience", payload, "aud");
  if (exp * 1000 < currentDate.getTime() - maximumClockSkew) throw new errors.JWTExpired("expired", payload, "exp");
}

async function readKeys(service: ServiceContext, url: string): Promise<Fetched<JSONWebKeySet>> {
  const document = await fetchPublicDocument(service, url, maximumBytes);
  return { document: toKeySet(JSON.parse(document.text)), bytes: document.text.length, maxAge: document.maxAge };
}

function toKeySet(document: unknown): JSONWebKeySet {
  return keySetSchema.parse(document);
}

function staleKeys(stale: JSONWebKeySet | undefined, error: unknown): JSONWebKeySet {
  if (stale === undefined || !(error instanceof DocumentUnavailableError)) throw error;
  return stale;
}
