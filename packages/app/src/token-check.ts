import { errors, jwtVerify, type JWTHeaderParameters, type JWTPayload } from "jose";
import { parseRequirements, unmetRequirement, type AuthenticationRequirements, type ParsedRequirements } from "./requirements.ts";
import { isInvalidToken, issuerAlgorithms, jwksUrl, openKeys, type IssuerKeys } from "./issuer-keys.ts";
import { createDpopCheck, apiProofAlgorithms, type DpopCheck, type DpopOptions, type ProvenRequest } from "./dpop-check.ts";
import { quoted } from "./quoted.ts";
import { createResourceMetadata, type ProtectedResource } from "./protected-resource.ts";
import type { ServiceSource } from "./service-source.ts";

/** Options of {@link createTokenCheck}. */
export interface TokenCheckOptions {
  /** The service in the same process. Its keys are read without HTTP. Omit it if the API runs in another process. */
  readonly postern?: ServiceSource;
  /** The issuer of the tokens. Default: the issuer of `postern`. */
  readonly issuer?: string;
  /** The API's identifier. */
  readonly audience: string;
  /**
   * The tenants whose tokens are accepted. Tenants may share an issuer, and then only the claim `tenant_id` tells their
   * tokens apart.
   */
  readonly tenantId: string | readonly string[];
  /**
   * Describes the API to clients that were not configured for it, such as clients of the Model Context Protocol: each
   * challenge then names the metadata document, which `metadata` serves (RFC 9728). Requires that `audience` is the URL of
   * the API. Default: no document.
   */
  readonly resource?: ProtectedResource;
  /**
   * How the API accepts tokens that are bound to a key of the client (DPoP, RFC 9449). Default: it accepts them if `audience` is a
   * URL, and remembers proofs in the memory of this process.
   */
  readonly dpop?: DpopOptions;
  /** The number of seconds by which the clocks of the issuer and the API may differ. Default: 5. */
  readonly clockToleranceSeconds?: number;
  /** Returns the time, in milliseconds since 1970. Default: the system's clock. */
  readonly now?: () => number;
}

/** The client that acts for the user of an access token (RFC 8693 section 4.1). */
export interface TokenActor {
  /** The `client_id` of the client. */
  readonly sub: string;
  /** The client that acted before it. It has no rights any more, and is for logs. */
  readonly act?: TokenActor;
}

/** The claims of an access token (RFC 9068 section 2.2). */
export interface AccessTokenClaims extends JWTPayload {
  readonly sub: string;
  readonly tenant_id: string;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly org_id?: string;
  readonly permissions?: readonly string[];
  /** How the user authenticated, if the user passed two factors: one of `acrValues`. */
  readonly acr?: string;
  /** The authentication methods (RFC 8176). Present if `acr` is. */
  readonly amr?: readonly string[];
  /** When the user authenticated, in seconds since 1970. Missing if the user's identity provider did not report it. */
  readonly auth_time?: number;
  /** Present if a client acts for the user with a token that was issued to another client. */
  readonly act?: TokenActor;
}

/** The requirements for the access token of a request. */
export interface TokenRequirements extends AuthenticationRequirements {
  /** The token must have all of them. */
  readonly scopes?: readonly string[];
}

/** The error for a missing or invalid token, a missing scope, or an insufficient authentication of the user. */
export class TokenError extends Error {
  override readonly name = "TokenError";
  /**
   * 401 for a missing or invalid token, or if the user must authenticate again or with another factor. 403 for a token
   * that lacks a scope.
   */
  readonly status: 401 | 403;
  /** The value of `WWW-Authenticate` (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9470 section 3). */
  readonly challenge: string;
  /** The nonce for the client's next DPoP proof: the header `DPoP-Nonce`. Undefined if the client needs none. */
  readonly dpopNonce: string | undefined;

  constructor(
    status: 401 | 403,
    challenge: string,
    message: string,
    options: ErrorOptions & { readonly dpopNonce?: string | undefined } = {},
  ) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.status = status;
    this.challenge = challenge;
    this.dpopNonce = options.dpopNonce;
  }

  /** The response as JSON, with the challenge. */
  toResponse(): Response {
    const error = /error="([^"]*)"/.exec(this.challenge)?.[1] ?? "unauthorized";
    return Response.json(
      { error, error_description: this.message },
      {
        status: this.status,
        headers: {
          "www-authenticate": this.challenge,
          "cache-control": "no-store",
          ...(this.dpopNonce !== undefined && { "dpop-nonce": this.dpopNonce }),
        },
      },
    );
  }
}

/** A request whose token is checked. */
export interface CheckedRequest extends Pick<Request, "headers"> {
  readonly method?: string;
  /** The URL or the path. */
  readonly url?: string;
}

/** Checks the access tokens of requests to an API. Created by {@link createTokenCheck}. */
export interface TokenCheck {
  /**
   * @param authorization the `Authorization` header of the request.
   * @param required the scopes that the token must have, or all requirements.
   * @param request the request. A token that is bound to a key (DPoP) is rejected without it.
   * @throws {TokenError} for a missing or invalid token, a missing scope, or an insufficient authentication.
   * @throws {TypeError} if a requirement is invalid.
   */
  verify(
    authorization: string | null | undefined,
    required?: readonly string[] | TokenRequirements,
    request?: ProvenRequest,
  ): Promise<AccessTokenClaims>;
  /**
   * Checks the access token of a request, as `verify` does. Returns the claims, or the error response to send. A bound
   * token needs the method and the URL of the request.
   */
  requireToken(request: CheckedRequest, required?: readonly string[] | TokenRequirements): Promise<AccessTokenClaims | Response>;
  /**
   * Responds to a request for the API's metadata document: `/.well-known/oauth-protected-resource` followed by the path of
   * `audience`. Scripts from any origin may read it. Undefined for any other request, and without the option `resource`.
   */
  metadata(request: Request): Promise<Response | undefined>;
  /**
   * Validates requirements, so that an app fails when it starts instead of at a request. @throws {TypeError} if a
   * requirement is invalid.
   */
  checkRequirements(required: readonly string[] | TokenRequirements): void;
}

/**
 * Creates a {@link TokenCheck}. It verifies the signature with the issuer's published keys, and checks issuer,
 * audience, expiry and tenant. ID tokens and logout tokens are rejected. An access token is accepted until it expires
 * (after an hour, or the API's token lifetime), even if its session was revoked before.
 * @throws {TypeError} if neither `postern` nor `issuer` is given, or if `resource` is given and `audience` is not a URL.
 *
 * @example
 * const check = createTokenCheck({ postern, tenantId: "main", audience: "https://api.example.com" });
 * const { sub } = await check.verify(request.headers.get("authorization"), ["read:invoices"]);
 *
 * @example
 * // The user must have passed a second factor, and authenticated within the last five minutes.
 * await check.verify(authorization, { scopes: ["pay"], acr: acrValues.multifactor, maxAge: 300 });
 */
export function createTokenCheck(options: TokenCheckOptions): TokenCheck {
  const { postern, audience, tenantId, clockToleranceSeconds = 5, now = Date.now } = options;
  if (postern === undefined && options.issuer === undefined)
    throw new TypeError("createTokenCheck: pass 'postern', or the 'issuer' of the tokens");
  if (audience === "") throw new TypeError("createTokenCheck: 'audience' is empty");
  const tenants = typeof tenantId === "string" ? [tenantId] : tenantId;
  let opened: Promise<IssuerKeys> | undefined;
  const keys = (): Promise<IssuerKeys> => {
    opened ??= openKeys(postern, options.issuer);
    opened.catch(() => (opened = undefined));
    return opened;
  };

  const resource = options.resource && createResourceMetadata(audience, options.resource);
  const dpop = createDpopCheck(audience, options.dpop ?? {}, now);

  const check = async (
    authorization: string | null | undefined,
    { scopes, authentication }: ReadRequirements,
    request: ProvenRequest | undefined,
  ): Promise<AccessTokenClaims> => {
    const { token, isDpop } = readToken(authorization);
    const { issuer, jwks } = await keys();
    let payload: JWTPayload;
    let header: JWTHeaderParameters;
    try {
      ({ payload, protectedHeader: header } = await jwtVerify(token, jwks, {
        issuer,
        audience,
        algorithms: issuerAlgorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(now()),
        requiredClaims: ["sub", "exp", "tenant_id"],
      }));
    } catch (cause) {
      if (!isInvalidToken(cause)) throw unreadableKeys(issuer, cause);
      throw invalidToken(whyInvalid(cause, { iss: issuer, aud: audience }), cause);
    }
    const claims = readClaims(payload);
    if (claims === undefined || !isAccessToken(header, payload)) throw invalidToken("the token is not an access token");
    if (!tenants.includes(claims.tenant_id)) throw invalidToken(mismatch("tenant_id", claims.tenant_id, tenants.join(" or ")));
    await checkBinding(dpop, { token, isDpop, jkt: thumbprintIn(payload) }, request);
    const grantedScopes = new Set((claims.scope ?? "").split(" "));
    const missingScopes = scopes.filter((scope) => !grantedScopes.has(scope));
    if (missingScopes.length > 0) {
      throw new TokenError(
        403,
        `${isDpop ? "DPoP" : "Bearer"} error="insufficient_scope", scope="${quoted(scopes.join(" "))}"`,
        `the access token lacks the scope ${missingScopes.join(" ")}`,
      );
    }
    const { acr, auth_time: authTime } = claims;
    const unmet = unmetRequirement(authentication, { acr, authTime }, Math.floor(now() / 1000), clockToleranceSeconds);
    if (unmet !== undefined) throw insufficientAuthentication(authentication, unmet);
    return claims;
  };

  const verify: TokenCheck["verify"] = async (authorization, required = [], request) => {
    const requirements = readRequirements(required);
    return check(authorization, requirements, request).catch((error: unknown) => {
      if (!(error instanceof TokenError) || resource === undefined) throw error;
      const challenge = resource.addTo(error.challenge, requirements.scopes);
      throw new TokenError(error.status, challenge, error.message, { cause: error.cause, dpopNonce: error.dpopNonce });
    });
  };

  return {
    verify,
    metadata: async (request) => resource?.respond(request, async () => (await keys()).issuer),
    checkRequirements: (required) => void readRequirements(required),
    requireToken: ({ headers, method, url }, required) =>
      verify(
        headers.get("authorization"),
        required,
        method === undefined || url === undefined ? undefined : { method, url, proof: headers.get("dpop") },
      ).catch((error: unknown) => {
        if (error instanceof TokenError) return error.toResponse();
        throw error;
      }),
  };
}

/** The error for keys that could not be fetched, such as those of a wrong issuer. It is not the caller's fault. */
function unreadableKeys(issuer: string, cause: unknown): Error {
  const url = jwksUrl(issuer).href;
  return new Error(`createTokenCheck: no keys at ${url}: compare 'issuer' (${issuer}) with the claim 'iss' of the tokens`, { cause });
}

/** Returns why a token is invalid. jose compares the claims after the signature: a named claim is the issuer's. */
function whyInvalid(cause: unknown, expected: { readonly iss: string; readonly aud: string }): string {
  if (cause instanceof errors.JWTExpired) return "the access token has expired";
  if (cause instanceof errors.JWTClaimValidationFailed && (cause.claim === "iss" || cause.claim === "aud"))
    return mismatch(cause.claim, [cause.payload[cause.claim]].flat().join(" or "), expected[cause.claim]);
  return "the access token is not valid for this API";
}

function mismatch(claim: string, given: string, expected: string): string {
  return `the access token is not valid for this API: its claim '${claim}' is ${given}, and the API expects ${expected}`;
}

/**
 * Returns the token in an `Authorization` header, and whether its scheme is `DPoP`. @throws {TokenError} if the token is
 * missing or the header is malformed. The challenge for a missing token has no error code, as RFC 6750 section 3.1 requires.
 */
function readToken(authorization: string | null | undefined): { readonly token: string; readonly isDpop: boolean } {
  const [, scheme, token] = /^(Bearer|DPoP) +([\w.~+/-]+=*)$/i.exec(authorization ?? "") ?? [];
  if (scheme !== undefined && token !== undefined) return { token, isDpop: scheme.toLowerCase() === "dpop" };
  if (/^(Bearer|DPoP)\b/i.test(authorization ?? "")) throw invalidToken("the Authorization header is malformed");
  throw new TokenError(401, "Bearer", "this API requires an access token in the header `Authorization: Bearer`");
}

/** A token, how the request presents it, and the thumbprint of the key that it is bound to. */
interface PresentedToken {
  readonly token: string;
  readonly isDpop: boolean;
  readonly jkt: string | undefined;
}

/** Requires that a bound token comes with a proof of its key, and any other token without (RFC 9449 section 7). */
async function checkBinding(dpop: DpopCheck, { token, isDpop, jkt }: PresentedToken, request: ProvenRequest | undefined): Promise<void> {
  if (jkt === undefined && !isDpop) return;
  if (jkt === undefined) throw dpopError("invalid_token", "the access token is not bound to a key: send it with the scheme Bearer");
  if (!isDpop || request === undefined)
    throw dpopError("invalid_token", "the access token is bound to a key: send it with the scheme DPoP and a proof");
  const problem = await dpop.problemOf(request, token, jkt);
  if (problem !== undefined) throw dpopError(problem.code, problem.message, problem.nonce);
}

function dpopError(code: string, message: string, dpopNonce?: string): TokenError {
  const challenge = `DPoP error="${code}", error_description="${quoted(message)}", algs="${apiProofAlgorithms.join(" ")}"`;
  return new TokenError(401, challenge, message, { dpopNonce });
}

/** Returns the claim `cnf.jkt`. A token with another confirmation is bound in a way that this API cannot check. */
function thumbprintIn({ cnf }: JWTPayload): string | undefined {
  if (cnf === undefined) return undefined;
  if (typeof cnf === "object" && cnf !== null && "jkt" in cnf && typeof cnf.jkt === "string") return cnf.jkt;
  throw invalidToken("the access token is bound in a way that this API does not support");
}

function invalidToken(message: string, cause?: unknown): TokenError {
  return new TokenError(401, `Bearer error="invalid_token", error_description="${quoted(message)}"`, message, { cause });
}

interface ReadRequirements {
  readonly scopes: readonly string[];
  readonly authentication: ParsedRequirements;
}

function readRequirements(required: readonly string[] | TokenRequirements): ReadRequirements {
  const { scopes = [], ...authentication } = isScopes(required) ? { scopes: required } : required;
  return { scopes, authentication: parseRequirements(authentication, "requireToken") };
}

function isScopes(required: readonly string[] | TokenRequirements): required is readonly string[] {
  return Array.isArray(required);
}

/** The error for a user who must authenticate again or with another factor (RFC 9470 section 3). */
function insufficientAuthentication({ acrs, maxAge }: ParsedRequirements, message: string): TokenError {
  const challenge = [
    `Bearer error="insufficient_user_authentication"`,
    `error_description="${message}"`,
    ...(acrs.length > 0 ? [`acr_values="${acrs.join(" ")}"`] : []),
    ...(maxAge === undefined ? [] : [`max_age="${maxAge}"`]),
  ];
  return new TokenError(401, challenge.join(", "), message);
}

/** Claims of ID tokens and logout tokens. Postern does not let an action add them to an access token. */
const claimsOfOtherTokens = ["nonce", "at_hash", "c_hash", "s_hash", "events"];

/** Claims of ID tokens and of access tokens that a user's sign-in issued. */
const claimsOfUserTokens = ["auth_time", "amr", "acr"];

/**
 * Whether a token is an access token. An API may have the id of a client as its identifier, which is the audience of
 * that client's ID tokens. RFC 9068 defines the type in the header. Access tokens in Auth0's dialect have the type
 * `JWT` and the claim `azp`, and those of users have `grant_id`. Postern's ID tokens have neither.
 */
function isAccessToken({ typ = "JWT" }: JWTHeaderParameters, payload: JWTPayload): boolean {
  if (claimsOfOtherTokens.some((claim) => claim in payload)) return false;
  const type = typ.toLowerCase().replace(/^application\//, "");
  if (type === "at+jwt") return typeof payload["client_id"] === "string" && typeof payload.jti === "string";
  if (claimsOfUserTokens.some((claim) => claim in payload) && typeof payload["grant_id"] !== "string") return false;
  return type === "jwt" && typeof payload["azp"] === "string";
}

function readClaims(payload: JWTPayload): AccessTokenClaims | undefined {
  const { sub, tenant_id: tenantId, scope, org_id: organizationId, permissions, acr, amr, auth_time: authTime, act, ...others } = payload;
  if (typeof sub !== "string" || typeof tenantId !== "string") return undefined;
  const actor = readActor(act);
  // Without its actor, the token would seem to be used by the user.
  if (act !== undefined && actor === undefined) return undefined;
  return {
    ...others,
    sub,
    tenant_id: tenantId,
    ...(typeof scope === "string" && { scope }),
    ...(typeof organizationId === "string" && { org_id: organizationId }),
    ...(Array.isArray(permissions) && { permissions: permissions.filter((one): one is string => typeof one === "string") }),
    ...(typeof acr === "string" && { acr }),
    ...(Array.isArray(amr) && { amr: amr.filter((one): one is string => typeof one === "string") }),
    ...(typeof authTime === "number" && { auth_time: authTime }),
    ...(actor && { act: actor }),
  };
}

function readActor(claim: unknown): TokenActor | undefined {
  if (typeof claim !== "object" || claim === null || !("sub" in claim) || typeof claim.sub !== "string") return undefined;
  if (!("act" in claim)) return { sub: claim.sub };
  const before = readActor(claim.act);
  return before && { sub: claim.sub, act: before };
}
