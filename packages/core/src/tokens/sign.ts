import { CompactSign, type JWTPayload } from "jose";
import type { KeyStore, StoredSigningKey } from "./keys/signing-keys.ts";

const encoder = new TextEncoder();

/** Signs a JWT. `typ` is `JWT`, or `at+jwt` for RFC 9068 access tokens. */
export async function signJwt(key: StoredSigningKey, store: KeyStore, payload: JWTPayload, typ: "JWT" | "at+jwt" = "JWT"): Promise<string> {
  return new CompactSign(encoder.encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: key.alg, typ, kid: key.kid })
    .sign(await store.privateKey(key));
}
