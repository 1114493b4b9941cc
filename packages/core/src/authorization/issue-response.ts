import { sha256 } from "../adapters/digest.ts";
import type { Row } from "../store/schema.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import { acrOf, authTimeOf, methodsOf, toStoredAuthTime } from "../identity/sessions/methods.ts";
import { touchSession, type StoredSession } from "../identity/sessions/session.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { withoutWithheldScopes, type GrantActionsResult } from "./actions/action-result.ts";
import type { AuthorizationContext } from "./authorization-context.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { tokenOrganization } from "./organization.ts";
import { userAccessToken, userIdToken, type UserGrant } from "./user-tokens.ts";
import type { GrantDecision } from "./grant-decision.ts";

/** Milliseconds until a code expires (RFC 6749 section 4.1.2 allows ten minutes at most). */
const codeLifetime = 60_000;

/** The user that tokens are issued for, and the decisions about those tokens. */
interface GrantSubject {
  readonly person: {
    readonly user: Row<"users">;
    readonly session: StoredSession;
    /** Present if this request created or used the session, which then already lists the client. */
    readonly noted?: true;
  };
  readonly decided: GrantDecision;
  /** The organization that the user acts for. */
  readonly organization?: Row<"organizations">;
  /** The decisions of the host's actions. */
  readonly actions?: GrantActionsResult;
}

/** The parameters of a successful authorization response. */
export type IssuedResponse = { readonly [name: string]: string | number };

/**
 * Issues the code and the tokens that an authorization request asks for. The user must be signed in and must have
 * consented.
 */
export async function issueResponse(
  { tenant, client, request, api }: AuthorizationContext,
  { person, decided, organization, actions }: GrantSubject,
): Promise<IssuedResponse> {
  const { user, session, noted } = person;
  const { audience } = decided;
  const scope = withoutWithheldScopes(decided.scope, actions);
  const acr = acrOf(session, multifactorSettings(tenant.record), request.required_acrs);
  const requests = (type: AuthorizationRequest["response_type"][number]): boolean => request.response_type.includes(type);
  const granted: UserGrant = {
    client,
    user,
    sessionId: session.id,
    grantId: tenant.random.record("grt_"),
    scope,
    api: await api(),
    authTime: authTimeOf(session),
    methods: methodsOf(session, acr),
    ...(request.nonce !== undefined && { nonce: request.nonce }),
    claims: { ...request.claims, ...(acr !== undefined && { acr }) },
    throughBrowser: true,
    ...(actions && { actions }),
    ...(organization && { organization: tokenOrganization(tenant, organization, request.organization?.by_name ?? false) }),
  };
  const code = requests("code") ? tenant.random.token(32) : undefined;
  const [access] = await Promise.all([
    requests("token") ? userAccessToken(tenant, granted) : undefined,
    code === undefined ? undefined : storeCode(tenant, code, request, granted, audience),
    noted ?? touchSession(tenant, session, client.record.client_id, tenant.settings),
  ]);
  const idToken = requests("id_token")
    ? await userIdToken(tenant, granted, { ...(access && { accessToken: access.token }), ...(code !== undefined && { code }) })
    : undefined;
  return {
    ...(code !== undefined && { code }),
    ...(access && { access_token: access.token, token_type: "Bearer", expires_in: access.expiresIn }),
    ...(idToken !== undefined && { id_token: idToken }),
    ...(access && scope.length > 0 && { scope: scope.join(" ") }),
  };
}

async function storeCode(
  tenant: RequestTenant,
  code: string,
  request: AuthorizationRequest,
  granted: UserGrant,
  audience: string,
): Promise<void> {
  const now = tenant.now();
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
      auth_time: toStoredAuthTime(granted.authTime),
      request: {
        ...(granted.claims && { claims: granted.claims }),
        ...(request.organization?.by_name && { organization_by_name: true }),
        ...(granted.actions && { actions: granted.actions }),
      },
      created_at: now,
      expires_at: now + codeLifetime,
      consumed_at: null,
    },
  ]);
}
