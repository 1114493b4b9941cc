import { sha256 } from "../../adapters/digest.ts";
import { redirectResponse } from "../../http/html.ts";
import { touchSession } from "../../domain/sessions/session.ts";
import type { Step } from "../../login/flow.ts";
import type { Client, Tenant } from "../../tenancy/tenant.ts";
import { tokenOrganization } from "../../issuing/organization.ts";
import { personAccessToken, personIdToken, type PersonGrant } from "../../issuing/person-tokens.ts";
import { requestedApi } from "../../issuing/person-scopes.ts";
import type { AuthorizationRequest } from "../../issuing/authorization-request.ts";
import { respond } from "./respond.ts";

/** Milliseconds that a code may be exchanged in (RFC 6749 section 4.1.2 allows ten minutes at most). */
const codeLifetime = 60_000;

/** Answers a request for a person who is signed in and agreed: a code, tokens, or both. */
export async function complete(
  tenant: Tenant,
  client: Client,
  request: AuthorizationRequest,
  { signedIn, consent, organization }: Extract<Step, { kind: "done" }>,
  cookies: readonly string[] = [],
): Promise<Response> {
  const { ids } = tenant.environment;
  const { user, session, noted } = signedIn;
  const { scope, audience } = consent;
  const wants = (type: AuthorizationRequest["response_type"][number]): boolean => request.response_type.includes(type);
  const granted: PersonGrant = {
    client,
    user,
    sessionId: session.id,
    grantId: ids.record("grt_"),
    scope,
    api: await requestedApi(tenant, request.audience),
    authTime: session.authenticated_at,
    ...(request.nonce !== undefined && { nonce: request.nonce }),
    claims: request.claims,
    throughBrowser: true,
    ...(organization && { organization: tokenOrganization(tenant, organization, request.organization?.by_name ?? false) }),
  };
  const code = wants("code") ? ids.token(32) : undefined;
  const [access] = await Promise.all([
    wants("token") ? personAccessToken(tenant, granted) : undefined,
    code === undefined ? undefined : storeCode(tenant, code, request, granted, audience),
    noted ?? touchSession(tenant.environment, tenant.data, session, client.record.client_id, tenant.settings),
  ]);
  const idToken = wants("id_token")
    ? await personIdToken(tenant, granted, { ...(access && { accessToken: access.token }), ...(code !== undefined && { code }) })
    : undefined;
  // An invitation that no client asked with: there is nothing to tell it.
  if (request.response_type.length === 0) return redirectResponse(request.redirect_uri, cookies);
  return respond(
    tenant,
    request,
    {
      ...(code !== undefined && { code }),
      ...(access && { access_token: access.token, token_type: "Bearer", expires_in: access.expiresIn }),
      ...(idToken !== undefined && { id_token: idToken }),
      ...(access && scope.length > 0 && { scope: scope.join(" ") }),
    },
    cookies,
  );
}

async function storeCode(
  tenant: Tenant,
  code: string,
  request: AuthorizationRequest,
  granted: PersonGrant,
  audience: string,
): Promise<void> {
  const now = tenant.environment.clock.now();
  await tenant.data.authorization_codes.insert([
    {
      code_hash: await sha256(code),
      client_id: request.client_id,
      user_id: granted.user.user_id,
      session_id: granted.sessionId,
      grant_id: granted.grantId,
      redirect_uri: request.redirect_uri_given ? request.redirect_uri : null,
      code_challenge: request.code_challenge ?? null,
      scope: granted.scope,
      audience: audience === "" ? null : audience,
      organization_id: granted.organization?.id ?? null,
      nonce: request.nonce ?? null,
      auth_time: granted.authTime,
      request: { claims: request.claims, ...(request.organization?.by_name && { organization_by_name: true }) },
      created_at: now,
      expires_at: now + codeLifetime,
      consumed_at: null,
    },
  ]);
}
