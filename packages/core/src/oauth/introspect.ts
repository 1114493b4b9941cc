import * as z from "zod";
import { sha256 } from "../adapters/digest.ts";
import { isExpired, withExpiry } from "../tokens/refresh-tokens/refresh-token.ts";
import { bearerType, dpopType } from "../tokens/access-token.ts";
import { tokenStatus } from "../tokens/subject.ts";
import { PosternError } from "../errors.ts";
import { findAccessToken, type AccessToken } from "../tenants/callers/access-token.ts";
import { findActiveToken } from "../tenants/callers/active-token.ts";
import { findGrantOfToken, grantedScopes } from "../tenants/callers/permissions.ts";
import { route } from "../tenants/callers/route-context.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { publicClientId } from "../model/clients/client-id.ts";
import { findOne } from "../store/find-one.ts";

/** The current state of a token (RFC 7662 section 2.2). */
const introspectionSchema = z.looseObject({ active: z.boolean() }).meta({ id: "Introspection" });

type Introspection = z.infer<typeof introspectionSchema>;

const inactive: Introspection = { active: false };

/**
 * Token introspection (RFC 7662). Confidential clients can introspect tokens that were issued to them. Every invalid
 * token is reported as inactive.
 */
export const introspect = route({
  method: "POST",
  path: "/oauth/introspect",
  summary: "Introspect a token",
  scopes: "client",
  bodyKind: "json-or-form",
  body: z.looseObject({ token: z.string().min(1).max(16_384) }).meta({ id: "IntrospectionRequest" }),
  responses: { 200: introspectionSchema, 400: { error: "invalid_request" }, 401: { error: "invalid_client" } },
})(async ({ body }, { tenant, client }) => {
  if (client.record.token_endpoint_auth_method === "none") {
    throw new PosternError("unauthorized_client", "introspection requires a client that authenticates");
  }
  return (await introspectAccessToken(tenant, client, body.token)) ?? (await introspectRefreshToken(tenant, client, body.token));
});

async function introspectAccessToken(tenant: RequestTenant, client: RegisteredClient, token: string): Promise<Introspection | undefined> {
  const read = await findAccessToken(tenant, token);
  if (read === undefined) return undefined;
  if (read.clientId !== client.record.client_id) return inactive;
  const scope = await heldScope(tenant, client, read);
  if (scope === undefined) return inactive;
  const { tenant_id: _tenantId, azp: _azp, sid: _sid, grant_id: _grantId, scope: _scope, ...claims } = read.claims;
  const held = scope.length > 0 && { scope: scope.join(" ") };
  return {
    ...claims,
    ...held,
    active: true,
    sub: read.subject,
    client_id: publicClientId(client.record),
    token_type: read.jkt === undefined ? bearerType : dpopType,
  };
}

/**
 * Returns the scopes that a token still grants. An active user token grants all its scopes. A client's own token is
 * limited to the scopes that the client grant allows now. Undefined if the token grants nothing.
 */
async function heldScope(tenant: RequestTenant, client: RegisteredClient, token: AccessToken): Promise<readonly string[] | undefined> {
  const { audiences, scope, userGrant, organizationId } = token;
  if (userGrant !== undefined) return (await findActiveToken(tenant, token)) && scope;
  const [audience = ""] = audiences;
  const api = await tenant.api(audience);
  const grant = api && (await findGrantOfToken(tenant, client, api, organizationId));
  if (api === undefined || grant === undefined) return undefined;
  const granted = grantedScopes(grant, api);
  return scope.filter((value) => granted.includes(value));
}

async function introspectRefreshToken(tenant: RequestTenant, client: RegisteredClient, text: string): Promise<Introspection> {
  const { data } = tenant;
  const found = await findOne(data.refresh_tokens, { token_hash: await sha256(text) });
  const token = found && withExpiry(found, client.settings.refresh_token, client.record);
  const isInactive =
    token === undefined || token.client_id !== client.record.client_id || token.revoked_at !== null || token.rotated_at !== null;
  if (isInactive || isExpired(token, tenant.now())) return inactive;
  const status = await tokenStatus(data, { userId: token.user_id, sessionId: token.session_id });
  if (status.kind !== "live") return inactive;
  const { session } = status;
  if (session !== undefined && !(await tenant.connections.offers(client, session.connection_id, token.organization_id ?? undefined)))
    return inactive;
  const expiries = [token.expires_at, token.idle_expires_at].filter((end) => end !== null);
  return {
    active: true,
    sub: token.user_id,
    client_id: publicClientId(client.record),
    scope: token.scope.join(" "),
    iat: Math.floor(token.created_at / 1000),
    ...(expiries.length > 0 && { exp: Math.floor(Math.min(...expiries) / 1000) }),
    token_type: "refresh_token",
  };
}
