import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { jsonBody, stringMember } from "../support/api.ts";
import type { DocumentService } from "../client-documents/documents.ts";
import type { App } from "../support/flow.ts";

/** A client that authenticates with a key at its `jwks_uri`. */
export interface KeyClient extends App {
  readonly key: CryptoKey;
  readonly alg: string;
  readonly kid: string;
  readonly jwksUri: string;
  /** The keys that the client publishes. */
  readonly keySet: object;
  /** Returns the credentials for a request: a new assertion. `claims` replace its members. */
  credentials(claims?: JWTPayload, alg?: string): Promise<{ readonly client_assertion: string; readonly client_assertion_type: string }>;
}

let number = 0;

/** Creates a client with a key, and publishes the key. */
export async function createKeyClient(service: DocumentService, alg: string, settings: object = {}): Promise<KeyClient> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `key-${++number}`;
  const jwksUri = `https://app.example.test/${kid}/jwks.json`;
  const keySet = { keys: [{ ...(await exportJWK(publicKey)), kid, alg, use: "sig" }] };
  service.publish(jwksUri, keySet);
  const created = await service.manage("POST", "/api/v2/clients", {
    name: kid,
    app_type: "regular_web",
    callbacks: ["https://app.example.test/callback"],
    token_endpoint_auth_method: "private_key_jwt",
    jwks_uri: jwksUri,
    ...settings,
  });
  const clientId = stringMember(jsonBody(created, 201), "client_id");
  return {
    clientId,
    redirectUri: "https://app.example.test/callback",
    key: privateKey,
    alg,
    kid,
    jwksUri,
    keySet,
    async credentials(claims = {}, signed = alg) {
      const now = Math.floor(service.clock.now() / 1000);
      const payload = {
        iss: clientId,
        sub: clientId,
        aud: service.postern.issuer,
        jti: crypto.randomUUID(),
        iat: now,
        exp: now + 60,
        ...claims,
      };
      return {
        client_assertion: await new SignJWT(payload).setProtectedHeader({ alg: signed, kid }).sign(privateKey),
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      };
    },
  };
}
