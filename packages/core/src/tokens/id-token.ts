import type { JWTPayload } from "jose";
import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";

/** The scopes that carry claims about a person (OpenID Connect Core section 5.4). */
const claimsOfScope: { readonly [scope: string]: readonly string[] } = {
  profile: ["name", "nickname", "picture", "given_name", "family_name", "preferred_username", "updated_at"],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
};

/** The fields of a user that claims are read from. */
export const claimFields = [
  "user_id",
  "name",
  "nickname",
  "picture",
  "given_name",
  "family_name",
  "username",
  "updated_at",
  "email",
  "email_verified",
  "phone_number",
  "phone_verified",
] as const satisfies readonly (keyof Row<"users">)[];

/** A user as far as claims tell. */
export type ClaimSource = Pick<Row<"users">, (typeof claimFields)[number]>;

/** Every claim about a person that exists. */
export const personClaims: readonly string[] = Object.values(claimsOfScope).flat();

/** The scopes that carry these claims. */
export function scopesOfClaims(claims: readonly string[]): readonly string[] {
  return Object.entries(claimsOfScope).flatMap(([scope, carried]) => (carried.some((name) => claims.includes(name)) ? [scope] : []));
}

/** The scopes that every API knows, because they ask for a person's claims or for a refresh token. */
export const oidcScopes: readonly string[] = ["openid", "profile", "email", "phone", "address", "offline_access"];

type Claim = string | number | boolean;

/** How each claim about a person is read (OpenID Connect Core section 5.1). What is null or empty is not known. */
const readers: { readonly [claim: string]: (user: ClaimSource) => Claim | null } = {
  name: (user) => user.name,
  nickname: (user) => user.nickname,
  picture: (user) => user.picture,
  given_name: (user) => user.given_name,
  family_name: (user) => user.family_name,
  preferred_username: (user) => user.username,
  updated_at: (user) => Math.floor(user.updated_at / 1000),
  email: (user) => user.email,
  email_verified: (user) => (user.email === "" ? null : user.email_verified),
  phone_number: (user) => user.phone_number,
  phone_number_verified: (user) => (user.phone_number === null ? null : user.phone_verified),
};

/** Claims about a person. */
export interface PersonClaims {
  readonly sub: string;
  readonly [claim: string]: Claim;
}

/** The claims that scopes and the `claims` parameter ask for. `sub` is always there. */
export function claimsAbout(user: ClaimSource, scope: readonly string[], requested: readonly string[] = []): PersonClaims {
  const claims: { sub: string; [claim: string]: Claim } = { sub: user.user_id };
  const add = (name: string): void => {
    const value = Object.hasOwn(readers, name) ? readers[name]?.(user) : undefined;
    if (value !== undefined && value !== null && value !== "") claims[name] = value;
  };
  for (const value of scope) if (Object.hasOwn(claimsOfScope, value)) claimsOfScope[value]?.forEach(add);
  requested.forEach(add);
  return claims;
}

/** What an ID token says besides the claims about the person. Instants are seconds since 1970. */
export interface IdTokenContent {
  readonly issuer: string;
  readonly clientId: string;
  readonly user: ClaimSource;
  readonly scope: readonly string[];
  /** Claims that the `claims` parameter asked for in the ID token. */
  readonly requestedClaims: readonly string[];
  readonly sessionId: string;
  /** Left out when an identity provider does not say when the user authenticated. */
  readonly authTime?: number;
  /** How the person proved who they are (RFC 8176). */
  readonly methods: readonly string[];
  readonly issuedAt: number;
  /** Seconds. */
  readonly lifetime: number;
  readonly nonce?: string;
  /** As a member of which organization. */
  readonly organization?: { readonly id: string; readonly name?: string };
  /** Claims of the host's own. None of the others gives way to one. */
  readonly customClaims?: JsonObject;
  /** Left-half hashes of what is issued beside it (OpenID Connect Core section 3.3.2.11). */
  readonly accessTokenHash?: string;
  readonly codeHash?: string;
}

/** The claims of an ID token (OpenID Connect Core section 2). Those of the requested scopes are in it, because the vendor's SDKs read the profile there. */
export function idTokenClaims(content: IdTokenContent): JWTPayload {
  const { organization } = content;
  return {
    ...content.customClaims,
    iss: content.issuer,
    aud: content.clientId,
    iat: content.issuedAt,
    exp: content.issuedAt + content.lifetime,
    ...claimsAbout(content.user, content.scope, content.requestedClaims),
    ...(content.authTime !== undefined && { auth_time: content.authTime }),
    ...(content.methods.length > 0 && { amr: content.methods }),
    sid: content.sessionId,
    ...(content.nonce !== undefined && { nonce: content.nonce }),
    ...(organization && { org_id: organization.id, ...(organization.name !== undefined && { org_name: organization.name }) }),
    ...(content.accessTokenHash !== undefined && { at_hash: content.accessTokenHash }),
    ...(content.codeHash !== undefined && { c_hash: content.codeHash }),
  };
}
