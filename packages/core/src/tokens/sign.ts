import { CompactSign, type JWTPayload } from "jose";
import { PosternError } from "../errors.ts";
import type { KeyStore, StoredSigningKey } from "./keys/signing-keys.ts";
import { maxTokenLength } from "./verify.ts";

const encoder = new TextEncoder();

/**
 * Signs a JWT. `typ` is `JWT`, `at+jwt` for RFC 9068 access tokens, or `logout+jwt` for logout tokens.
 * @throws {PosternError} `invalid_request` if the token would be longer than {@link maxTokenLength}: every endpoint that
 * receives tokens would reject it.
 */
export async function signJwt(
  key: StoredSigningKey,
  store: KeyStore,
  payload: JWTPayload,
  typ: "JWT" | "at+jwt" | "logout+jwt" = "JWT",
): Promise<string> {
  const sign = async (): Promise<string> =>
    new CompactSign(encoder.encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg: key.alg, typ, kid: key.kid })
      .sign(await store.privateKey(key));
  const { telemetry } = store;
  const attributes = { "postern.token.type": typ };
  const token = telemetry === undefined ? await sign() : await telemetry.observe({ name: "sign", attributes }, sign);
  if (token.length <= maxTokenLength) return token;
  throw new PosternError("invalid_request", `the token would be longer than ${maxTokenLength} characters: request fewer scopes`, {
    detail: `the token would have ${token.length} characters; reduce its scopes, permissions or custom claims`,
  });
}
