import type { Tokens } from "./provider.ts";

/** The session of a user in the app. */
export interface Session {
  /** The user: claims in the ID token (OpenID Connect Core section 5.1), such as `sub`, `name`, `email`. */
  readonly user: { readonly sub: string; readonly name?: string; readonly email?: string; readonly [claim: string]: unknown };
  /** The id of the user's session at the tenant, from which the app's session was created. */
  readonly sessionId: string;
  /** The id of the organization that the user signed in to. */
  readonly organizationId: string | undefined;
  /**
   * When the user authenticated (`auth_time` in the ID token); undefined if the user's identity provider did not report
   * it.
   */
  readonly authenticatedAt: Date | undefined;
  /** How the user authenticated, if the user passed two factors: one of `acrValues`. */
  readonly acr: string | undefined;
  /** The latest time at which the app's session expires. */
  readonly expiresAt: Date;
}

/** The session data that the app stores, encrypted, in the browser's cookies or in a session store. */
export interface Content {
  readonly sid: string;
  readonly claims: { readonly sub: string; readonly [claim: string]: unknown };
  readonly accessToken: string;
  /** Seconds since 1970. */
  readonly accessEnds: number;
  readonly refreshToken?: string;
  /** Seconds since 1970. */
  readonly authTime?: number;
  /** Seconds since 1970. */
  readonly ends: number;
  readonly signIn?: CompletedSignIn;
  /** Further access tokens, the latest last. Only sessions in a store have any. */
  readonly otherTokens?: readonly OtherToken[];
}

/** An access token for another API or organization than that of the sign-in. */
export interface OtherToken extends TokenTarget {
  readonly accessToken: string;
  /** Seconds since 1970. */
  readonly accessEnds: number;
  /** The id of the organization that the token is for. */
  readonly organizationId?: string;
}

/** The API and the organization of an access token, if they differ from those of the sign-in. */
export interface TokenTarget {
  readonly audience?: string;
  /** Id or name. */
  readonly organization?: string;
}

/** The sign-in that a session results from. */
interface CompletedSignIn {
  /** When it completed, in seconds since 1970. */
  readonly at: number;
  readonly isRenewal: boolean;
  /** The state of the attempt. */
  readonly state?: string;
  /** The path to which the browser was redirected, unless it is long. */
  readonly returnTo?: string;
}

/** Claims that describe the ID token, not the user. */
const tokenClaims = new Set([
  "iss",
  "aud",
  "exp",
  "iat",
  "nbf",
  "nonce",
  "at_hash",
  "c_hash",
  "azp",
  "sid",
  "tenant_id",
  "jti",
  "auth_time",
]);

/** Creates the session data from the tokens of a sign-in. @param now seconds since 1970. @param lifetime in seconds. */
export function toContent(tokens: Tokens & { readonly claims: NonNullable<Tokens["claims"]> }, now: number, lifetime: number): Content {
  const { accessToken, expiresIn, refreshToken, claims } = tokens;
  return {
    sid: typeof claims["sid"] === "string" ? claims["sid"] : "",
    claims: { ...Object.fromEntries(Object.entries(claims).filter(([name]) => !tokenClaims.has(name))), sub: claims.sub },
    accessToken,
    accessEnds: now + expiresIn,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(claims.auth_time !== undefined && { authTime: claims.auth_time }),
    ends: now + lifetime,
  };
}

/** Returns the decrypted session data, or undefined if this version does not support its format. */
export function readSession(opened: { readonly [name: string]: unknown } | undefined): Content | undefined {
  const { sid, claims, accessToken, accessEnds, refreshToken, authTime, ends, signIn: completed, otherTokens } = opened ?? {};
  const signIn = readCompletedSignIn(completed);
  if (typeof sid !== "string" || typeof accessToken !== "string" || typeof accessEnds !== "number" || typeof ends !== "number")
    return undefined;
  if (typeof claims !== "object" || claims === null || !("sub" in claims) || typeof claims.sub !== "string") return undefined;
  return {
    sid,
    claims: { ...claims, sub: claims.sub },
    accessToken,
    accessEnds,
    ends,
    ...(typeof refreshToken === "string" && { refreshToken }),
    ...(typeof authTime === "number" && { authTime }),
    ...(signIn !== undefined && { signIn }),
    ...(Array.isArray(otherTokens) && { otherTokens: otherTokens.map(readOtherToken).filter((token) => token !== undefined) }),
  };
}

function readOtherToken(value: unknown): OtherToken | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { accessToken, accessEnds, audience, organization, organizationId }: { readonly [Name in keyof OtherToken]?: unknown } = value;
  if (typeof accessToken !== "string" || typeof accessEnds !== "number") return undefined;
  return {
    accessToken,
    accessEnds,
    ...(typeof audience === "string" && { audience }),
    ...(typeof organization === "string" && { organization }),
    ...(typeof organizationId === "string" && { organizationId }),
  };
}

function readCompletedSignIn(value: unknown): CompletedSignIn | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { at, isRenewal, state, returnTo }: { readonly [Name in keyof CompletedSignIn]?: unknown } = value;
  if (typeof at !== "number" || typeof isRenewal !== "boolean") return undefined;
  return { at, isRenewal, ...(typeof state === "string" && { state }), ...(typeof returnTo === "string" && { returnTo }) };
}

export function toSession({ claims, sid, ends, authTime }: Content): Session {
  const { name, email, org_id: organizationId, acr, ...others } = claims;
  return {
    user: { ...others, ...(typeof name === "string" && { name }), ...(typeof email === "string" && { email }) },
    sessionId: sid,
    organizationId: typeof organizationId === "string" ? organizationId : undefined,
    authenticatedAt: authTime === undefined ? undefined : new Date(authTime * 1000),
    acr: typeof acr === "string" ? acr : undefined,
    expiresAt: new Date(ends * 1000),
  };
}
