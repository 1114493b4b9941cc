import type { JWTPayload } from "jose";
import type { RequestInfo } from "../../context.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { isObject } from "../../store/value.ts";
import { findTenant, type Installation } from "../installation.ts";
import type { TenantHint } from "../resolve.ts";
import { RequestTenant } from "../tenant.ts";
import { internalClientId } from "../../model/clients/client-id.ts";
import { invalidToken } from "./bearer-token.ts";
import type { PresentedToken } from "./presented-token.ts";
import { checkBinding } from "./token-binding.ts";

/** A verified and parsed access token of a tenant. */
export interface AccessToken {
  /** `sub`: a user id, or `<client_id>@clients`. */
  readonly subject: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly audiences: readonly string[];
  readonly scope: readonly string[];
  /** `org_id`: the organization that the token was issued for. */
  readonly organizationId: string | undefined;
  /** The session and the grant of a user token; undefined for a token that a client got for itself. */
  readonly userGrant: { readonly sessionId: string; readonly grantId: string } | undefined;
  /** `cnf.jkt`: the thumbprint of the key that the token is bound to. Undefined for a token that anyone can use who has it. */
  readonly jkt: string | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly claims: JWTPayload;
}

/** Caches parsed tokens by their claims object. */
const known = new WeakMap<JWTPayload, AccessToken>();

/**
 * Verifies and reads an access token of this tenant: signature by one of its keys, tenant, issuer, lifetime and kind.
 * ID tokens are rejected. The caller must check which API or client the token was issued for.
 * @throws {PosternError} `invalid_token`.
 */
async function readAccessToken(tenant: RequestTenant, token: string): Promise<AccessToken> {
  const claims = await tenant.tokens.verify(token, await tenant.signing.allWith(tenant.tokens.peek(token)?.kid));
  const read = known.get(claims) ?? (await toAccessToken(claims));
  if (read === undefined) throw new PosternError("invalid_token", "the token is not an access token");
  known.set(claims, read);
  const { iss = "", tenant_id: tenantId } = claims;
  if (tenantId !== tenant.id || isBefore(tenant, read.issuedAt) || !(await tenant.hasIssuer(iss))) {
    throw new PosternError("invalid_token", "the access token was issued by an unknown tenant or issuer");
  }
  return read;
}

/**
 * Whether a token is older than its tenant, because it was issued by a deleted tenant with the same id. @param issuedAt
 * in seconds since 1970.
 */
export function isBefore({ record }: Pick<RequestTenant, "record">, issuedAt: number): boolean {
  return issuedAt < Math.floor(record.created_at / 1000);
}

/**
 * Like {@link readAccessToken}, for a token that is a request parameter: returns undefined if it is not an access token
 * of this tenant.
 */
export async function findAccessToken(tenant: RequestTenant, token: string): Promise<AccessToken | undefined> {
  if (tenant.tokens.peek(token) === undefined) return undefined;
  return readAccessToken(tenant, token).catch((error: unknown) => {
    if (isPosternError(error) && error.code === "invalid_token") return undefined;
    throw error;
  });
}

/**
 * Returns the claims of an access token; undefined for other tokens. Only access tokens contain the id of a client in
 * addition to the audience.
 */
async function toAccessToken(claims: JWTPayload): Promise<AccessToken | undefined> {
  const { sub, aud, azp, client_id: clientId = azp, sid, grant_id: grantId, scope, org_id: organizationId, iat, exp, cnf } = claims;
  if (typeof clientId !== "string" || sub === undefined || iat === undefined || exp === undefined) return undefined;
  const userGrant = typeof sid === "string" && typeof grantId === "string" ? { sessionId: sid, grantId } : undefined;
  if (userGrant === undefined && sub !== clientSubject(clientId)) return undefined;
  return {
    subject: sub,
    clientId: await internalClientId(clientId),
    audiences: aud === undefined ? [] : typeof aud === "string" ? [aud] : aud,
    scope: typeof scope === "string" ? scope.split(" ").filter((value) => value !== "") : [],
    organizationId: typeof organizationId === "string" ? organizationId : undefined,
    userGrant,
    jkt: thumbprintIn(cnf),
    issuedAt: iat,
    expiresAt: exp,
    claims,
  };
}

function thumbprintIn(confirmation: unknown): string | undefined {
  return isObject(confirmation) && typeof confirmation["jkt"] === "string" ? confirmation["jkt"] : undefined;
}

/** Returns the `sub` of a token that a client gets for itself. */
export function clientSubject(clientId: string): string {
  return `${clientId}@clients`;
}

/**
 * Verifies the access token in a request with {@link readAccessToken}, and requires that it was issued for this API. A
 * token that is bound to a key requires a proof of that key.
 * Does not check which tenants the token can access: see {@link checkTenantAccess}.
 * @param api the identifier of a system API.
 * @throws {PosternError} `invalid_token` (401).
 */
export async function verifyAccessToken(
  installation: Installation,
  token: PresentedToken,
  api: string,
  address: TenantHint,
  requestInfo: RequestInfo,
): Promise<{ readonly tenant: RequestTenant; readonly accessToken: AccessToken }> {
  const tenantId = installation.tokens.peek(token.text)?.payload["tenant_id"];
  const entry = typeof tenantId === "string" ? await findTenant(installation, tenantId) : undefined;
  if (entry === undefined) throw invalidToken("the access token was issued by an unknown tenant or issuer");
  const tenant = new RequestTenant(installation, entry, address.urls, requestInfo);

  const accessToken = await readAccessToken(tenant, token.text).catch(withChallenge);
  if (!(await isFor(tenant, accessToken, api))) throw invalidToken("the access token was issued for another API");
  token.recognize(tenant, accessToken.clientId);
  await checkBinding(tenant, token, accessToken);
  return { tenant, accessToken };
}

/**
 * Checks that a token of this tenant can access the tenant that the request addresses. @throws {PosternError}
 * `forbidden`, whether that tenant exists or not.
 */
export function checkTenantAccess(tenant: RequestTenant, address: TenantHint): void {
  if (address.tenantId === undefined || address.tenantId === tenant.id) return;
  throw new PosternError("forbidden", "the token cannot access this tenant");
}

/**
 * Whether a token was issued for an API. Compares the path below the issuer, because the API is the same under every
 * issuer of the tenant.
 */
async function isFor(tenant: RequestTenant, { audiences }: AccessToken, api: string): Promise<boolean> {
  for (const audience of audiences) {
    if (audience.endsWith(api) && (await tenant.hasIssuer(audience.slice(0, -api.length)))) return true;
  }
  return false;
}

function withChallenge(error: unknown): never {
  throw isPosternError(error) && error.code === "invalid_token" ? invalidToken(error.message, error) : error;
}
