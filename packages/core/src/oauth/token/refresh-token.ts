import * as z from "zod";
import { fromStoredAuthTime, methodsOf } from "../../identity/sessions/methods.ts";
import { sha256 } from "../../adapters/digest.ts";
import { isExpired, withExpiry, type StoredRefreshToken } from "../../tokens/refresh-tokens/refresh-token.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import { publicIdentifier, storedAudience } from "../../tenants/audience.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { requestedClaimsSchema } from "../../authorization/requested-claims.ts";
import { grant } from "./grant.ts";
import { requireKey } from "./require-key.ts";
import { tokenResponse } from "./token-response.ts";
import { requireActiveUser, type ActiveUser } from "../../authorization/active-user.ts";
import { withoutWithheldScopes } from "../../authorization/actions/action-result.ts";
import { grantActions } from "./grant-actions.ts";
import { grantedOrganization } from "../../authorization/organization.ts";
import { decideUserScopes } from "../../authorization/user-scopes.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import type { UserAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { invalidRefreshToken } from "../../model/sdk-texts.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { audienceParameter, resourceParameter, scopeParameter } from "./target-parameters.ts";
import { findOne } from "../../store/find-one.ts";

/** Exchanges a refresh token for new tokens (RFC 6749 section 6). */
export const refreshToken = grant({
  failureEvent: "fertft",
  parameters: z.object({
    refresh_token: z.string().min(1).max(512),
    scope: scopeParameter,
    audience: audienceParameter,
    resource: resourceParameter,
    organization: z.string().max(255).exactOptional(),
  }),
})(async (parameters, context) => {
  const { tenant, client } = context;
  const { data } = tenant;
  const presented = parameters.refresh_token;
  const found = await findOne(data.refresh_tokens, { token_hash: await sha256(presented) });
  const token = found && withExpiry(found, client.settings.refresh_token, client.record);
  if (token === undefined || token.client_id !== client.record.client_id) throw new PosternError("invalid_grant", invalidRefreshToken);
  // Before the rotation: a thief without the key can neither renew the token nor end its family.
  requireKey(context, token.jkt);
  // Presenting a rotated token is a replay, even after the token has expired.
  if (token.rotated_at === null && isExpired(token, tenant.now()))
    throw new PosternError("invalid_grant", invalidRefreshToken, { detail: "the token has expired" });
  const { user, session } = await requireActiveUser(
    tenant,
    client,
    { userId: token.user_id, sessionId: token.session_id },
    invalidRefreshToken,
  ).catch(blockedAsInvalidGrant);

  const granted = await regrant(context, token, { user, session }, parameters);
  const issued = await issueTokens(tenant, granted, {
    access: true,
    idToken: granted.scope.includes("openid"),
    refreshToken: { presented, stored: token },
    event: { type: "sertft" },
  });
  return tokenResponse(issued);
});

/**
 * Rethrows `access_denied` as `invalid_grant`, because clients discard a refresh token only on `invalid_grant` (RFC
 * 6749 section 5.2). The description is unchanged, because Auth0's SPA SDK compares it.
 */
function blockedAsInvalidGrant(error: unknown): never {
  if (isPosternError(error) && error.code === "access_denied") throw new PosternError("invalid_grant", error.message, { cause: error });
  throw error;
}

interface RefreshParameters {
  readonly scope?: string;
  readonly audience?: string;
  readonly resource?: string;
  readonly organization?: string;
}

/** Returns the grant of the new tokens: the original grant, or the requested part of it (RFC 6749 section 6). */
async function regrant(
  { tenant, client, provenKey }: ClientContext,
  token: StoredRefreshToken,
  { user, session }: Pick<ActiveUser, "user" | "session">,
  { scope, organization: named, ...target }: RefreshParameters,
): Promise<UserAccess> {
  const { urls } = tenant;
  const api = await resolveApi(tenant, publicIdentifier(token.audience, urls.issuer));
  const audience = await requestedAudience(tenant, target);
  if (audience !== undefined && (await storedAudience(tenant, audience)) !== token.audience) {
    throw new PosternError("invalid_target", "'audience' or 'resource' names another API than the one that was granted");
  }
  const requestedScope = scope === undefined ? token.scope : [...new Set(scope.split(" ").filter((value) => value !== ""))];
  const ungranted = requestedScope.find((value) => !token.scope.includes(value));
  if (ungranted !== undefined) throw new PosternError("invalid_scope", `the scope '${ungranted}' was not granted`);
  const { user_id: userId } = user;
  const organizationRequest = {
    userId,
    connectionId: session?.connection_id,
    requested: named,
    stored: token.organization_id,
    lostDescription: invalidRefreshToken,
  };
  const organization = await grantedOrganization(tenant, client, organizationRequest);
  // Roles and permissions are read at each refresh: the new token omits permissions that the user lost.
  const userScopes = await decideUserScopes(tenant, client, { userId, organizationId: organization?.id }, requestedScope, api);
  const login = {
    tenant,
    client,
    userId,
    sessionId: token.session_id ?? undefined,
    organizationId: organization?.id,
    api,
    scope: userScopes.scope,
    refreshToken: token,
  };
  const requestedTokens = {
    scope: requestedScope.join(" "),
    audience: token.audience === null ? undefined : publicIdentifier(token.audience, urls.issuer),
    organization: organization?.id,
  };
  const actions = await grantActions({ ...login, requestedScope, protocol: "oauth2-refresh-token", requested: requestedTokens });
  const claims = requestedClaimsSchema.parse(token.claims);
  return {
    client,
    provenKey,
    user,
    sessionId: token.session_id ?? "",
    grantId: token.grant_id,
    ...userScopes,
    scope: withoutWithheldScopes(userScopes.scope, actions),
    ...(actions && { actions }),
    api,
    authTime: fromStoredAuthTime(token.auth_time),
    methods: methodsOf(session, claims.acr),
    claims,
    gty: "refresh_token",
    ...(organization && { organization }),
  };
}
