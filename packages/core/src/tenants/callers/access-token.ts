import type { JWTPayload } from "jose";
import type { RequestInfo } from "../../context.ts";
import { maxTokenLength } from "../../tokens/verify.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { findTenant, type Installation } from "../installation.ts";
import type { TenantHint } from "../resolve.ts";
import { Tenant } from "../tenant.ts";

/** An access token that a tenant issued, checked and read. */
export interface AccessToken {
  /** `sub`: a user id, or `<client_id>@clients`. */
  readonly subject: string;
  /** The client that the token was issued to. */
  readonly clientId: string;
  readonly audiences: readonly string[];
  readonly scope: readonly string[];
  /** `org_id`: the organization that the token is for. */
  readonly organizationId: string | undefined;
  /** What a person's token hangs on; undefined in a token that a client has for itself. */
  readonly person: { readonly sessionId: string; readonly grantId: string } | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly claims: JWTPayload;
}

/** A token that comes again comes with the same claims: what was read of them once is still right. */
const known = new WeakMap<JWTPayload, AccessToken>();

/**
 * The access token of a request: in the `Authorization` header, or in a form (RFC 6750 sections 2.1 and 2.2).
 * @throws {PosternError} `invalid_token` where there is none or it is longer than {@link maxTokenLength}, `invalid_request` where there are two.
 */
export function readBearerToken(request: Request, body: unknown): string {
  const form = typeof body === "object" && body !== null && "access_token" in body ? body.access_token : undefined;
  const [scheme, token, ...rest] = (request.headers.get("authorization") ?? "").split(" ");
  const inHeader = scheme?.toLowerCase() === "bearer" && token !== undefined && token !== "" && rest.length === 0 ? token : undefined;
  if (inHeader !== undefined && form !== undefined) {
    throw new PosternError("invalid_request", "the access token is given twice", {
      headers: { "www-authenticate": 'Bearer error="invalid_request"' },
    });
  }
  const sent = inHeader ?? (typeof form === "string" ? form : undefined);
  if (sent !== undefined && sent.length > maxTokenLength)
    throw invalidToken(`the access token is longer than ${maxTokenLength} characters`);
  if (sent !== undefined) return sent;
  throw new PosternError("invalid_token", "an access token is needed: Authorization: Bearer", {
    // A challenge has at least one parameter, and no error where no token was sent (RFC 6750 section 3).
    headers: { "www-authenticate": 'Bearer realm="postern"' },
  });
}

/**
 * Reads a token as an access token of this tenant: signature by one of its keys, tenant, issuer, lifetime and kind. An ID token is none.
 * Which API or client the token is for is the caller's to check.
 * @throws {PosternError} `invalid_token`.
 */
export async function readAccessToken(tenant: Tenant, token: string): Promise<AccessToken> {
  const claims = await tenant.tokens.verify(token, await tenant.signing.all());
  const read = known.get(claims) ?? toAccessToken(claims);
  if (read === undefined) throw new PosternError("invalid_token", "the token is no access token");
  known.set(claims, read);
  const { iss = "", tenant_id: tenantId } = claims;
  if (tenantId !== tenant.id || isBefore(tenant, read.issuedAt) || !(await tenant.hasIssuer(iss))) {
    throw new PosternError("invalid_token", "the token was not issued here");
  }
  return read;
}

/** Whether a token is older than its tenant: of one that was deleted, and made again under its id. @param issuedAt in seconds since 1970. */
export function isBefore({ record }: Pick<Tenant, "record">, issuedAt: number): boolean {
  return issuedAt < Math.floor(record.created_at / 1000);
}

/** {@link readAccessToken}, for a token that comes as data: undefined for whatever is no access token of this tenant. */
export async function findAccessToken(tenant: Tenant, token: string): Promise<AccessToken | undefined> {
  if (tenant.tokens.peek(token) === undefined) return undefined;
  return readAccessToken(tenant, token).catch((error: unknown) => {
    if (isPosternError(error) && error.code === "invalid_token") return undefined;
    throw error;
  });
}

/** The claims of an access token; undefined for those of anything else. Only access tokens name their client beside the audience. */
function toAccessToken(claims: JWTPayload): AccessToken | undefined {
  const { sub, aud, azp, client_id: clientId = azp, sid, grant_id: grantId, scope, org_id: organizationId, iat, exp } = claims;
  if (typeof clientId !== "string" || sub === undefined || iat === undefined || exp === undefined) return undefined;
  const person = typeof sid === "string" && typeof grantId === "string" ? { sessionId: sid, grantId } : undefined;
  if (person === undefined && sub !== clientSubject(clientId)) return undefined;
  return {
    subject: sub,
    clientId,
    audiences: aud === undefined ? [] : typeof aud === "string" ? [aud] : aud,
    scope: typeof scope === "string" ? scope.split(" ").filter((value) => value !== "") : [],
    organizationId: typeof organizationId === "string" ? organizationId : undefined,
    person,
    issuedAt: iat,
    expiresAt: exp,
    claims,
  };
}

/** The `sub` of a token that a client has for itself. */
export function clientSubject(clientId: string): string {
  return `${clientId}@clients`;
}

/**
 * Checks the access token of a request: that {@link readAccessToken} takes it, and that it is for this API. Which tenant it reaches is {@link checkReach}'s to say.
 * @param api the path of the API below the issuer: `api/v2/` or `userinfo`.
 * @throws {PosternError} `invalid_token` (401).
 */
export async function verifyAccessToken(
  installation: Installation,
  token: string,
  api: string,
  address: TenantHint,
  requestInfo: RequestInfo,
): Promise<{ readonly tenant: Tenant; readonly accessToken: AccessToken }> {
  const tenantId = installation.tokens.peek(token)?.payload["tenant_id"];
  const entry = typeof tenantId === "string" ? await findTenant(installation, tenantId) : undefined;
  if (entry === undefined) throw invalidToken("the token was not issued here");
  const tenant = new Tenant(installation, entry, address.urls, requestInfo);

  const accessToken = await readAccessToken(tenant, token).catch(withChallenge);
  if (!(await isFor(tenant, accessToken, api))) throw invalidToken("the token is for another API");
  return { tenant, accessToken };
}

/** Checks that a token of this tenant reaches the tenant that is addressed. @throws {PosternError} `forbidden`, whether that one exists or not. */
export function checkReach(tenant: Tenant, address: TenantHint): void {
  if (address.tenantId === undefined || address.tenantId === tenant.id) return;
  throw new PosternError("forbidden", "the token does not reach this tenant");
}

/** An API of the installation is one API under every issuer of the tenant. */
async function isFor(tenant: Tenant, { audiences }: AccessToken, api: string): Promise<boolean> {
  for (const audience of audiences) {
    if (audience.endsWith(api) && (await tenant.hasIssuer(audience.slice(0, -api.length)))) return true;
  }
  return false;
}

/** A refusal of a token, with the challenge that RFC 6750 section 3 demands. */
export function invalidToken(description: string, cause?: unknown): PosternError {
  return new PosternError("invalid_token", description, { headers: { "www-authenticate": 'Bearer error="invalid_token"' }, cause });
}

function withChallenge(error: unknown): never {
  throw isPosternError(error) && error.code === "invalid_token" ? invalidToken(error.message, error) : error;
}
