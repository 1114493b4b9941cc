import { createHash } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWK, type JWTHeaderParameters, type JWTPayload } from "jose";
import type { LoginService } from "../support/flow.ts";
import type { ApiResponse } from "../support/postern.ts";

/** A key of a client, and the proofs that it signs. */
export interface Prover {
  readonly jkt: string;
  readonly jwk: JWK;
  readonly key: CryptoKey;
  readonly alg: string;
  /** Signs a proof for a request. `claims` and `header` replace its members. */
  prove(method: string, path: string, claims?: JWTPayload, header?: Partial<JWTHeaderParameters>): Promise<string>;
}

/** Creates a key pair and a {@link Prover} of it. */
export async function createProver(service: Pick<LoginService, "clock" | "postern">, alg = "ES256"): Promise<Prover> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return {
    jkt: await calculateJwkThumbprint(jwk),
    jwk,
    key: privateKey,
    alg,
    prove: (method, path, claims = {}, header = {}) =>
      new SignJWT({
        htm: method,
        htu: service.postern.issuer + path.slice(1),
        iat: Math.floor(service.clock.now() / 1000),
        jti: crypto.randomUUID(),
        ...claims,
      })
        .setProtectedHeader({ alg, typ: "dpop+jwt", jwk, ...header })
        .sign(privateKey),
  };
}

/** Returns the claim `ath` for an access token. */
export const athOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

type Form = { readonly [name: string]: string };

/**
 * Sends a form to the token endpoint with a proof, and repeats it with the nonce that the service requests.
 * @param body the form, or a function that creates it for each request, with a new client assertion.
 */
export async function exchangeWithProof(service: LoginService, prover: Prover, body: Form | (() => Promise<Form>)): Promise<ApiResponse> {
  const send = async (nonce: string | null) => {
    const dpop = await prover.prove("POST", "/oauth/token", nonce === null ? {} : { nonce });
    return service.exchange(typeof body === "function" ? await body() : body, { dpop });
  };
  const first = await send(null);
  return (first.body as { error?: string }).error === "use_dpop_nonce" ? send(first.headers.get("dpop-nonce")) : first;
}

/** Requests a resource of the service with a bound token, and repeats it with the nonce that the service requests. */
export async function callWithProof(
  service: LoginService,
  prover: Prover,
  token: string,
  method: string,
  path: string,
): Promise<ApiResponse> {
  const send = async (nonce: string | null) => {
    const dpop = await prover.prove(method, path, { ath: athOf(token), ...(nonce !== null && { nonce }) });
    return service.call(method, path, { headers: { authorization: `DPoP ${token}`, dpop } });
  };
  const first = await send(null);
  return (first.headers.get("www-authenticate") ?? "").includes("use_dpop_nonce") ? send(first.headers.get("dpop-nonce")) : first;
}
