import type { Json } from "../../store/value.ts";
import { personClaims } from "../../tokens/id-token.ts";

/** Claims that mean something to whoever checks a token (RFC 7519, RFC 8693, RFC 9068, OpenID Connect), or to Postern itself. */
const reserved: ReadonlySet<string> = new Set([
  ...personClaims,
  ..."iss sub aud exp nbf iat jti azp typ client_id scope permissions gty address".split(" "),
  ..."nonce auth_time acr amr at_hash c_hash s_hash sid events toe txn".split(" "),
  ..."act may_act cnf authorization_details entitlements active token_type htm htu ath".split(" "),
  ..."tenant_id org_id org_name grant_id exchanged userinfo_claims".split(" "),
]);

/** Bytes of all custom claims of one token, as JSON: it stands in a header of every request of its client. */
const most = 8 * 1024;
const encoder = new TextEncoder();

/** A claim that an action sets, as it goes into a token. @throws {TypeError} where it cannot. */
export function customClaim(name: string, value: Json): readonly [name: string, value: Json] {
  if (typeof name !== "string" || name === "" || name.length > 255)
    throw new TypeError("a claim's name must be text of 1 to 255 characters");
  if (reserved.has(name)) throw new TypeError(`the claim '${name}' has a meaning of its own and cannot be set`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`the claim '${name}' must be a JSON value`);
  // A copy: what the action does to its object later does not reach the token.
  return [name, JSON.parse(text) as Json];
}

/** @throws {TypeError} where the claims that actions set are too much for a token. */
export function checkSize(claims: { readonly [name: string]: Json }): void {
  if (encoder.encode(JSON.stringify(claims)).length > most) throw new TypeError(`custom claims must have at most ${most} bytes in all`);
}
