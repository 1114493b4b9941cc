import { sha256 } from "../../adapters/digest.ts";
import { PosternError } from "../../errors.ts";
import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { invalidToken, readBearerToken } from "../../tenants/callers/bearer-token.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

/**
 * Returns the initial access token of a registration request (RFC 7591 section 3); undefined if the request has none and
 * needs none.
 * @throws {PosternError} `invalid_token` if the token is missing, unknown, expired or used up; `not_found` if the tenant
 * accepts no registrations.
 */
export async function findInitialAccessToken(tenant: RequestTenant, request: Request): Promise<Row<"initial_access_tokens"> | undefined> {
  const mode = await tenant.registrationMode();
  if (!/^bearer /i.test(request.headers.get("authorization") ?? "")) {
    if (mode === "off") throw noRegistration();
    if (mode === "by-token") readBearerToken(request, undefined);
    return undefined;
  }
  const where = { token_hash: await sha256(readBearerToken(request, undefined)) };
  const found = await findOne(tenant.data.initial_access_tokens, where);
  // An expired token is unknown, so that the response is the same after `sweep` has deleted it.
  if (found === undefined || found.expires_at <= tenant.now()) throw mode === "off" ? noRegistration() : invalidInitialToken();
  if (found.uses_left < 1) throw invalidInitialToken();
  return found;
}

/**
 * Uses an initial access token once. Of parallel requests, only as many succeed as the token has uses left.
 * @throws {PosternError} `invalid_token` if none is left.
 */
export async function takeInitialAccessToken(tenant: RequestTenant, { id }: Row<"initial_access_tokens">): Promise<void> {
  const where = { id, uses_left: { gt: 0 }, expires_at: { gt: tenant.now() } };
  if ((await tenant.data.initial_access_tokens.update(where, { add: { uses_left: -1 } })) !== 1) throw invalidInitialToken();
}

function invalidInitialToken(): PosternError {
  return invalidToken("the initial access token is unknown, expired or used up");
}

function noRegistration(): PosternError {
  return new PosternError("not_found", "this service does not accept the registration of clients");
}
