import { createRemoteJWKSet, customFetch, errors } from "jose";
import { toService, type ServiceSource } from "./service-source.ts";

/** The signing algorithms of Postern. */
export const issuerAlgorithms = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];

/** An issuer and its published keys. */
export interface IssuerKeys {
  readonly issuer: string;
  readonly jwks: ReturnType<typeof createRemoteJWKSet>;
}

/**
 * Reads the published keys of an issuer.
 * @param source the service in the same process, whose keys are read without HTTP.
 * @param named the issuer. Default: that of the service.
 */
export async function openKeys(source: ServiceSource | undefined, named: string | undefined): Promise<IssuerKeys> {
  const service = source === undefined ? undefined : await toService(source)();
  const issuer = named ?? service?.issuer ?? "";
  const url = jwksUrl(issuer);
  if (service === undefined) return { issuer, jwks: createRemoteJWKSet(url) };
  const inProcess = (address: string, init: RequestInit) => service.fetch(new Request(address, init));
  return { issuer, jwks: createRemoteJWKSet(url, { [customFetch]: inProcess }) };
}

export function jwksUrl(issuer: string): URL {
  return new URL(".well-known/jwks.json", issuer);
}

/** Whether a token is invalid, as opposed to keys that could not be fetched. */
export function isInvalidToken(error: unknown): boolean {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC"
  );
}
