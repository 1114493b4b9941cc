import type { JWTPayload } from "jose";
import type { RequestFacts } from "../domain/audit.ts";
import { PosternError } from "../errors.ts";
import { findTenant, type Installation } from "./installation.ts";
import type { Addressed } from "./resolve.ts";
import { Tenant } from "./tenant.ts";

/**
 * The access token of a request: in the `Authorization` header, or in a form (RFC 6750 sections 2.1 and 2.2).
 * @throws {PosternError} `invalid_token` where there is none, `invalid_request` where there are two.
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
  if (inHeader !== undefined) return inHeader;
  if (typeof form === "string") return form;
  throw new PosternError("invalid_token", "an access token is needed: Authorization: Bearer", {
    // A challenge has at least one parameter, and no error where no token was sent (RFC 6750 section 3).
    headers: { "www-authenticate": 'Bearer realm="postern"' },
  });
}

/**
 * Checks an access token of this installation: signature by a key of its tenant, issuer, audience and lifetime; then that it may reach the tenant that is addressed.
 * @param api the path of the API below the issuer: `api/v2/` or `userinfo`.
 * @throws {PosternError} `invalid_token` (401), or `forbidden` (403) for a tenant that is not the token's, whether that exists or not.
 */
export async function verifyAccessToken(
  installation: Installation,
  token: string,
  api: string,
  address: Addressed,
  facts: RequestFacts,
): Promise<{ readonly tenant: Tenant; readonly payload: JWTPayload }> {
  const tenantId = installation.tokens.peek(token)?.payload["tenant_id"];
  const entry = typeof tenantId === "string" ? await findTenant(installation, tenantId) : undefined;
  if (entry === undefined) throw invalidToken("the token was not issued here");
  const tenant = new Tenant(installation, entry, address.urls, facts);

  const payload = await installation.tokens.verify(token, await tenant.signingKeys()).catch(withChallenge);
  const { iss = "", aud = [] } = payload;
  const issuers = iss === installation.urls.issuer ? [iss] : await tenant.issuers();
  if (!issuers.includes(iss)) throw invalidToken("the token was not issued here");
  const audiences = issuers.map((issuer) => issuer + api);
  if (!(typeof aud === "string" ? [aud] : aud).some((audience) => audiences.includes(audience)))
    throw invalidToken("the token is for another API");
  if (address.tenantId !== undefined && address.tenantId !== tenant.id) {
    throw new PosternError("forbidden", "the token does not reach this tenant");
  }
  return { tenant, payload };
}

/** A refusal of a token, with the challenge that RFC 6750 section 3 demands. */
export function invalidToken(description: string, cause?: unknown): PosternError {
  return new PosternError("invalid_token", description, { headers: { "www-authenticate": 'Bearer error="invalid_token"' }, cause });
}

function withChallenge(error: unknown): never {
  throw error instanceof PosternError && error.code === "invalid_token" ? invalidToken(error.message, error) : error;
}
