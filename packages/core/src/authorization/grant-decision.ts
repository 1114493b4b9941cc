import { scopesOfClaims } from "../tokens/id-token.ts";
import type { AuthorizationContext } from "./authorization-context.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";
import { needsConsent, type ConsentSubject } from "./consent.ts";
import { personScopes } from "./person-scopes.ts";

/** What a client would get of a person, whether the person is asked about it, and in which words. */
export interface Decided extends ConsentSubject {
  readonly needsConsent: boolean;
  readonly audienceName?: string;
  readonly descriptions: { readonly [scope: string]: string };
}

/**
 * What a request would give its client of a person, as a member of an organization or not.
 * @throws {PosternError} `access_denied` where there is no such API, or it is not the client's to ask for.
 */
export async function decideScopes(
  { tenant, client, request, api: apiOf }: AuthorizationContext,
  who: { readonly userId: string; readonly organizationId: string | undefined },
): Promise<Decided> {
  const api = await apiOf();
  const asks = needsConsent(client, api);
  const { scope } = await personScopes(tenant, client, who, requestedScopes(request, asks), api);
  const described = (api?.settings.scopes ?? []).flatMap(({ value, description }) =>
    description === undefined ? [] : [[value, description]],
  );
  return {
    userId: who.userId,
    clientId: client.record.client_id,
    audience: api?.record.identifier ?? "",
    scope,
    needsConsent: asks,
    ...(api !== undefined && { audienceName: api.record.name }),
    descriptions: Object.fromEntries(described),
  };
}

/** A refresh token comes for a code alone (OpenID Connect Core section 11). */
function requestedScopes({ scope, response_type: types, claims }: AuthorizationRequest, needsConsent: boolean): readonly string[] {
  const asked = types.includes("code") ? scope : scope.filter((value) => value !== "offline_access");
  // Whoever asks a person for consent asks by scopes: a claim must not come without its own.
  return !needsConsent ? asked : [...new Set([...asked, ...scopesOfClaims([...claims.userinfo, ...claims.idToken])])];
}
