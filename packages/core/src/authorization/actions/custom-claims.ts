import type { Json } from "../../store/value.ts";
import { personClaims } from "../../tokens/id-token.ts";

/**
 * Claims that have a meaning for token validators (RFC 7519, RFC 8693, RFC 9068, OpenID Connect) or for Postern.
 * Actions cannot set them.
 */
const reserved: ReadonlySet<string> = new Set([
  ...personClaims,
  ..."iss sub aud exp nbf iat jti azp typ client_id scope permissions gty".split(" "),
  ..."nonce auth_time acr amr at_hash c_hash s_hash sid events toe txn".split(" "),
  ..."act may_act cnf authorization_details entitlements active token_type htm htu ath".split(" "),
  ..."tenant_id org_id org_name grant_id exchanged userinfo_claims".split(" "),
]);

/**
 * The maximum size of all custom claims of one token, in bytes of JSON. The client sends the token in a header of every
 * request.
 */
const maximumBytes = 8 * 1024;
const encoder = new TextEncoder();

/**
 * Returns a claim that an action sets, in the form in which it is written to a token.
 * @throws {TypeError} if the name or the value is not allowed.
 */
export function customClaim(name: string, value: Json): readonly [name: string, value: Json] {
  if (typeof name !== "string" || name === "" || name.length > 255)
    throw new TypeError("a claim's name must be text of 1 to 255 characters");
  if (reserved.has(name)) throw new TypeError(`the claim '${name}' is reserved and cannot be set`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`the claim '${name}' must be a JSON value`);
  // Copies the value, so that the token does not change if the action changes its object later.
  return [name, JSON.parse(text) as Json];
}

/** Limits the size of custom claims. @throws {TypeError} if the custom claims exceed the maximum size. */
export function checkClaimsSize(claims: { readonly [name: string]: Json }): void {
  if (encoder.encode(JSON.stringify(claims)).length > maximumBytes)
    throw new TypeError(`custom claims must have at most ${maximumBytes} bytes in total`);
}
