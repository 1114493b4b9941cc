import { decodeJwt } from "jose";
import type { Tokens } from "./provider.ts";
import { acrValues, satisfiesAcr, type AcrValue } from "./requirements.ts";
import { SignInError } from "./sign-in-error.ts";

/**
 * The parameters of a sign-in. They are encrypted with the attempt and compared with the response, because the
 * authorization request passes through the browser: the user can remove or replace any parameter.
 */
export interface SignInRequest {
  /** Separated by spaces. */
  readonly scope: string;
  readonly audience?: string;
  /** Id or name. */
  readonly organization?: string;
  /** The name of the connection. */
  readonly connection?: string;
  readonly prompt?: string;
  /** Seconds. */
  readonly maxAge?: number;
  /** The user must authenticate in one of these ways. */
  readonly acrs?: readonly AcrValue[];
}

/** The response to a sign-in, with the times that are needed to check it. */
interface SignInResponse {
  readonly tokens: Tokens & { readonly claims: NonNullable<Tokens["claims"]> };
  /** The name of the connection of the user's session at the tenant. */
  readonly connection: string;
  /** Seconds since 1970: when the attempt began. */
  readonly begunAt: number;
  /** Seconds since 1970. */
  readonly now: number;
}

/** Seconds by which `auth_time` may seem too early: it has no fractions, and the service may run on another machine. */
const clockTolerance = 5;

/**
 * Maximum seconds between the authorization response, which `max_age` limits, and the exchange of its code: the
 * lifetime of an authorization code.
 */
const codeLifetime = 60;

/**
 * Reads a decrypted request. Returns undefined for any other value.
 * @param omittedScope the scopes of a request that omits them.
 */
export function readSignInRequest(value: unknown, omittedScope?: string): SignInRequest | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const {
    scope = omittedScope,
    audience,
    organization,
    connection,
    prompt,
    maxAge,
    acrs,
  }: { readonly [Name in keyof SignInRequest]?: unknown } = value;
  if (typeof scope !== "string" || !isOptionalText(audience) || !isOptionalText(organization) || !isOptionalText(connection))
    return undefined;
  if (!isOptionalText(prompt) || (maxAge !== undefined && typeof maxAge !== "number")) return undefined;
  const requiredAcrs = Array.isArray(acrs) ? knownAcrsOf(acrs) : undefined;
  return {
    scope,
    ...(audience !== undefined && { audience }),
    ...(organization !== undefined && { organization }),
    ...(connection !== undefined && { connection }),
    ...(prompt !== undefined && { prompt }),
    ...(maxAge !== undefined && { maxAge }),
    ...(requiredAcrs !== undefined && { acrs: requiredAcrs }),
  };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

/**
 * Compares the response to a sign-in with the request.
 * @throws {SignInError} `invalid_response` if the response does not match the request: it has another organization,
 * connection, scope or API, or the user authenticated too long ago.
 */
export function checkResponse(request: SignInRequest, { tokens, connection, begunAt, now }: SignInResponse): void {
  const { claims, accessToken, scope } = tokens;
  const { organization } = request;
  if (organization !== undefined) {
    // Organization names do not begin with `org_`, and are always lower case.
    const matches = organization.startsWith("org_") ? claims["org_id"] === organization : claims["org_name"] === organization.toLowerCase();
    if (!matches) throw mismatch("'organization'");
  }
  if (request.connection !== undefined && request.connection !== connection) throw mismatch("'connection'");
  const requested = new Set(request.scope.split(" "));
  if (scope !== undefined && !scope.split(" ").every((value) => requested.has(value))) throw mismatch("'scope'");
  if (request.audience !== undefined && ![decodeJwt(accessToken).aud].flat().includes(request.audience)) throw mismatch("'audience'");
  const { acrs = [] } = request;
  // Postern reports an acr that the user cannot satisfy with the same code.
  if (acrs.length > 0 && !acrs.some((acr) => satisfiesAcr(claims["acr"], acr)))
    throw new SignInError("unmet_authentication_requirements", "the response does not match the requested 'acr_values'");
  checkAuthTime(request, claims.auth_time, begunAt, now);
}

/** Returns the supported values of a list, in the same order. */
export function knownAcrsOf(values: readonly unknown[]): readonly AcrValue[] {
  return values.flatMap((value) => Object.values(acrValues).filter((acr) => acr === value));
}

/** Whether the user must authenticate after the attempt began. */
export function isFreshRequired({ prompt = "", maxAge }: SignInRequest): boolean {
  return prompt.split(" ").includes("login") || maxAge === 0;
}

function checkAuthTime(request: SignInRequest, authTime: number | undefined, begunAt: number, now: number): void {
  const { maxAge } = request;
  const isFresh = isFreshRequired(request);
  if (!isFresh && maxAge === undefined) return;
  if (authTime === undefined)
    throw mismatch("'max_age' or 'prompt': the ID token has no auth_time, so the time of the authentication is unknown");
  if (isFresh && authTime < begunAt - clockTolerance) throw mismatch("'max_age' or 'prompt': the user authenticated before");
  // 0 is checked above, like `prompt=login`: the user authenticates at the beginning of the attempt, and may then spend
  // any time on the pages that follow.
  if (maxAge !== undefined && maxAge > 0 && now - authTime > maxAge + codeLifetime + clockTolerance) throw mismatch("'max_age'");
}

function mismatch(what: string): SignInError {
  return new SignInError("invalid_response", `the response does not match the requested ${what}`);
}
