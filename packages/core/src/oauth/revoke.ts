import { auditClient, auditUser } from "../logs/audit.ts";
import * as z from "zod";
import { sha256 } from "../adapters/digest.ts";
import { revokeFamily, revokeGrantWithTokens } from "../tokens/refresh-tokens/refresh-token.ts";
import { PosternError } from "../errors.ts";
import { findAccessToken } from "../tenants/callers/access-token.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { findOne } from "../store/find-one.ts";

/**
 * Token revocation (RFC 7009). Revoking a refresh token, or an access token of a user, also revokes the token family
 * and all access tokens of the grant. The response for unknown tokens is the same. Tokens of other clients are
 * rejected.
 */
export const revoke = route({
  method: "POST",
  path: "/oauth/revoke",
  summary: "Revoke a token",
  scopes: "client",
  bodyKind: "json-or-form",
  body: z.looseObject({ token: z.string().min(1).max(16_384) }).meta({ id: "RevocationRequest" }),
  responses: { 200: null, 400: { error: "invalid_request, invalid_grant, unsupported_token_type" }, 401: { error: "invalid_client" } },
})(async ({ body }, { tenant, client }) => {
  const userId = (await revokeRefreshToken(tenant, client, body.token)) ?? (await revokeAccessToken(tenant, client, body.token));
  if (userId === undefined) return;
  await tenant.audit({
    type: "srrt",
    ...auditClient(client),
    ...auditUser({ user_id: userId, name: "" }),
  });
});

/**
 * Revokes a refresh token and its family. @returns the ID of the user whose token was revoked; undefined if no active
 * refresh token was found.
 * @throws {PosternError} `invalid_grant` if the token belongs to another client.
 */
async function revokeRefreshToken(tenant: RequestTenant, client: RegisteredClient, text: string): Promise<string | undefined> {
  const token = await findOne(tenant.data.refresh_tokens, { token_hash: await sha256(text) });
  if (token === undefined) return undefined;
  if (token.client_id !== client.record.client_id) throw issuedToAnotherClient();
  return (await revokeFamily(tenant, token, "revoked")) ? token.user_id : undefined;
}

/**
 * Returns the error for a token that was issued to another client. RFC 7009 section 2.1 requires that the request is
 * rejected, with an error code from RFC 6749 section 5.2.
 */
function issuedToAnotherClient(): PosternError {
  return new PosternError("invalid_grant", "the token was issued to another client");
}

/**
 * Revokes all tokens of the grant that a user's access token belongs to. @throws {PosternError}
 * `unsupported_token_type` for a token that a client got for itself: such a token stays valid until it expires.
 */
async function revokeAccessToken(tenant: RequestTenant, client: RegisteredClient, token: string): Promise<string | undefined> {
  const read = await findAccessToken(tenant, token);
  if (read === undefined) return undefined;
  if (read.clientId !== client.record.client_id) throw issuedToAnotherClient();
  const { subject, userGrant } = read;
  if (userGrant === undefined) {
    throw new PosternError(
      "unsupported_token_type",
      "an access token that a client got for itself cannot be revoked: it is valid until it expires",
    );
  }
  return (await revokeGrantWithTokens(tenant, userGrant.grantId, "revoked")) ? subject : undefined;
}
