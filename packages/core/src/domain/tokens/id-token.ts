import type { JWTPayload } from "jose";
import type { Row } from "../../data/schema.ts";

/** The scopes that carry claims about a person (OpenID Connect Core section 5.4). */
const claimsOfScope: { readonly [scope: string]: readonly string[] } = {
  profile: ["name", "nickname", "picture", "given_name", "family_name", "preferred_username", "updated_at"],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
};

/** Every claim about a person that exists. */
export const personClaims: readonly string[] = Object.values(claimsOfScope).flat();

/** The scopes that carry these claims. */
export function scopesOfClaims(claims: readonly string[]): readonly string[] {
  return Object.entries(claimsOfScope).flatMap(([scope, carried]) => (carried.some((name) => claims.includes(name)) ? [scope] : []));
}

/** The scopes that every API knows, because they ask for a person's claims or for a refresh token. */
export const oidcScopes: readonly string[] = ["openid", "profile", "email", "phone", "address", "offline_access"];

/** What is known about a person, as claims (OpenID Connect Core section 5.1). Absent values are left out. */
function allClaims(user: Row<"users">): { readonly [claim: string]: string | number | boolean } {
  return {
    ...(user.name !== "" && { name: user.name }),
    ...(user.nickname !== "" && { nickname: user.nickname }),
    ...(user.picture !== null && { picture: user.picture }),
    ...(user.given_name !== null && { given_name: user.given_name }),
    ...(user.family_name !== null && { family_name: user.family_name }),
    ...(user.username !== null && { preferred_username: user.username }),
    updated_at: Math.floor(user.updated_at / 1000),
    ...(user.email !== "" && { email: user.email, email_verified: user.email_verified }),
    ...(user.phone_number !== null && { phone_number: user.phone_number, phone_number_verified: user.phone_verified }),
  };
}

/** Claims about a person. */
export interface PersonClaims {
  readonly sub: string;
  readonly [claim: string]: string | number | boolean;
}

/** The claims that scopes and the `claims` parameter ask for. `sub` is always there. */
export function claimsAbout(user: Row<"users">, scope: readonly string[], requested: readonly string[] = []): PersonClaims {
  const names = new Set([...scope.flatMap((value) => claimsOfScope[value] ?? []), ...requested]);
  return { sub: user.user_id, ...Object.fromEntries(Object.entries(allClaims(user)).filter(([name]) => names.has(name))) };
}

/** What an ID token says besides the claims about the person. Instants are seconds since 1970. */
export interface IdTokenContent {
  readonly issuer: string;
  readonly clientId: string;
  readonly user: Row<"users">;
  readonly scope: readonly string[];
  /** Claims that the `claims` parameter asked for in the ID token. */
  readonly requestedClaims: readonly string[];
  readonly sessionId: string;
  readonly authTime: number;
  readonly issuedAt: number;
  /** Seconds. */
  readonly lifetime: number;
  readonly nonce?: string;
  /** As a member of which organization. */
  readonly organization?: { readonly id: string; readonly name?: string };
  /** Left-half hashes of what is issued beside it (OpenID Connect Core section 3.3.2.11). */
  readonly accessTokenHash?: string;
  readonly codeHash?: string;
}

/** The claims of an ID token (OpenID Connect Core section 2). Those of the requested scopes are in it, because the vendor's SDKs read the profile there. */
export function idTokenClaims(content: IdTokenContent): JWTPayload {
  const { organization } = content;
  return {
    iss: content.issuer,
    aud: content.clientId,
    iat: content.issuedAt,
    exp: content.issuedAt + content.lifetime,
    ...claimsAbout(content.user, content.scope, content.requestedClaims),
    auth_time: content.authTime,
    sid: content.sessionId,
    ...(content.nonce !== undefined && { nonce: content.nonce }),
    ...(organization && { org_id: organization.id, ...(organization.name !== undefined && { org_name: organization.name }) }),
    ...(content.accessTokenHash !== undefined && { at_hash: content.accessTokenHash }),
    ...(content.codeHash !== undefined && { c_hash: content.codeHash }),
  };
}
