import { scopesOfClaims } from "../tokens/id-token.ts";
import type { AuthorizationContext } from "./authorization-context.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { actsForUsers, needsConsent, type ConsentSubject } from "./consent.ts";
import { decideUserScopes } from "./user-scopes.ts";

/** The scopes that a client is granted for a user, and the consent that it needs. */
export interface GrantDecision extends ConsentSubject {
  /** Whether the user must consent to the scopes first. */
  readonly needsConsent: boolean;
  /** The name of the API. */
  readonly audienceName?: string;
  /** Descriptions of the scopes of the API, for the consent page. */
  readonly descriptions: { readonly [scope: string]: string };
}

/**
 * Decides which scopes the client of an authorization request is granted on behalf of a user, who may act for an
 * organization.
 * @throws {PosternError} `access_denied` if the API is unknown or the client is not authorized to access it.
 */
export async function decideScopes(
  { tenant, client, request, api: apiOf }: AuthorizationContext,
  principal: { readonly userId: string; readonly organizationId: string | undefined },
): Promise<GrantDecision> {
  const api = await apiOf();
  const consents = needsConsent(client, api);
  const { scope } = await decideUserScopes(tenant, client, principal, requestedScopes(request, consents), api);
  const described = (api?.settings.scopes ?? []).flatMap(({ value, description }) =>
    description === undefined ? [] : [[value, description]],
  );
  return {
    userId: principal.userId,
    clientId: client.record.client_id,
    audience: api?.record.identifier ?? "",
    scope,
    mayAct: api !== undefined && actsForUsers(client),
    needsConsent: consents,
    ...(api !== undefined && { audienceName: api.record.name }),
    descriptions: Object.fromEntries(described),
  };
}

/** Returns the scopes of a request. Only the code flow issues a refresh token (OpenID Connect Core section 11). */
function requestedScopes({ scope, response_type: types, claims }: AuthorizationRequest, needsConsent: boolean): readonly string[] {
  const requested = types.includes("code") ? scope : scope.filter((value) => value !== "offline_access");
  // Users consent to scopes, so each requested claim requires consent to the scope that contains it.
  return !needsConsent ? requested : [...new Set([...requested, ...scopesOfClaims([...claims.userinfo, ...claims.idToken])])];
}
