import type { JWTPayload } from "jose";
import type { Row } from "../store/schema.ts";
import type { JsonObject } from "../store/value.ts";
import { claimMembers, profileClaims, standardClaims } from "../model/users/standard-claims.ts";

/** The claims about a user that each scope grants (OpenID Connect Core section 5.4). */
const claimsOfScope: { readonly [scope: string]: readonly string[] } = {
  profile: ["name", "nickname", "picture", "given_name", "family_name", "preferred_username", "updated_at", ...profileClaims],
  email: ["email", "email_verified"],
  phone: ["phone_number", "phone_number_verified"],
  address: ["address"],
};

/** The columns of a user that claims are read from. */
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
  "standard_claims",
] as const satisfies readonly (keyof Row<"users">)[];

/** The columns of a user that the claims need. */
export type ClaimSource = Pick<Row<"users">, (typeof claimFields)[number]>;

/** Every supported claim about a user. */
export const personClaims: readonly string[] = Object.values(claimsOfScope).flat();

/** Returns the scopes that grant these claims. */
export function scopesOfClaims(claims: readonly string[]): readonly string[] {
  return Object.entries(claimsOfScope).flatMap(([scope, carried]) => (carried.some((name) => claims.includes(name)) ? [scope] : []));
}

/** The scopes that every API accepts: they request claims about the user or a refresh token. */
export const oidcScopes: readonly string[] = ["openid", ...Object.keys(claimsOfScope), "offline_access"];

type Claim = string | number | boolean | JsonObject;

/**
 * The functions that read each claim from a user (OpenID Connect Core section 5.1). Tokens omit a claim that is null or
 * empty.
 */
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
  ...Object.fromEntries(standardClaims.map((name) => [name, (user: ClaimSource) => claimMembers(user)[name] ?? null])),
};

/** Claims about a user. */
interface UserClaims {
  readonly sub: string;
  readonly [claim: string]: Claim;
}

/** Returns the claims that scopes and the `claims` parameter request. The result always contains `sub`. */
export function claimsAbout(user: ClaimSource, scope: readonly string[], requested: readonly string[] = []): UserClaims {
  const claims: { sub: string; [claim: string]: Claim } = { sub: user.user_id };
  const add = (name: string): void => {
    const value = Object.hasOwn(readers, name) ? readers[name]?.(user) : undefined;
    if (value !== undefined && value !== null && value !== "") claims[name] = value;
  };
  for (const value of scope) if (Object.hasOwn(claimsOfScope, value)) claimsOfScope[value]?.forEach(add);
  requested.forEach(add);
  return claims;
}

/** The content of an ID token, in addition to the claims about the user. Times are in seconds since 1970. */
interface IdTokenContent {
  readonly issuer: string;
  readonly clientId: string;
  readonly user: ClaimSource;
  readonly scope: readonly string[];
  /** The claims that the `claims` parameter requests in the ID token. */
  readonly requestedClaims: readonly string[];
  readonly sessionId: string;
  /** Omitted if the identity provider did not return the time at which the user authenticated. */
  readonly authTime?: number;
  /** The authentication methods of the user (RFC 8176). */
  readonly methods: readonly string[];
  /** The authentication context class. Omitted if the user passed only one factor. */
  readonly acr?: string;
  readonly issuedAt: number;
  /** Seconds. */
  readonly lifetime: number;
  readonly nonce?: string;
  /** The organization that the user signed in to. */
  readonly organization?: { readonly id: string; readonly name?: string };
  /** Custom claims of the host application. They never replace another claim. */
  readonly customClaims?: JsonObject;
  /**
   * Left-half hashes of the access token and the code that are issued with the ID token (OpenID Connect Core section
   * 3.3.2.11).
   */
  readonly accessTokenHash?: string;
  readonly codeHash?: string;
}

/**
 * Returns the claims of an ID token (OpenID Connect Core section 2). Includes the claims that the granted scopes allow,
 * because Auth0's SDKs read the profile from the ID token.
 */
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
    ...(content.acr !== undefined && { acr: content.acr }),
    sid: content.sessionId,
    ...(content.nonce !== undefined && { nonce: content.nonce }),
    ...(organization && { org_id: organization.id, ...(organization.name !== undefined && { org_name: organization.name }) }),
    ...(content.accessTokenHash !== undefined && { at_hash: content.accessTokenHash }),
    ...(content.codeHash !== undefined && { c_hash: content.codeHash }),
  };
}
