import * as z from "zod";
import { authTimeOf, methodsOf } from "../../identity/sessions/methods.ts";
import { isPosternError, PosternError, type ErrorCode } from "../../errors.ts";
import { hasConsented, needsConsent } from "../../authorization/consent.ts";
import { findAccessToken } from "../../tenants/callers/access-token.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { invalidSubject, requireActor, scopesToAct, type UserToken } from "./acting-client.ts";
import { grant } from "./grant.ts";
import { requireKey } from "./require-key.ts";
import { tokenResponse } from "./token-response.ts";
import { requireActiveUser } from "../../authorization/active-user.ts";
import { withoutWithheldScopes } from "../../authorization/actions/action-result.ts";
import { grantActions } from "./grant-actions.ts";
import { grantedOrganization } from "../../authorization/organization.ts";
import { decideUserScopes } from "../../authorization/user-scopes.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import type { UserAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { audienceParameter, resourceParameter, scopeParameter } from "./target-parameters.ts";

const accessTokenType = "urn:ietf:params:oauth:token-type:access_token";

/**
 * Exchanges a user's access token for a token with the same or fewer rights (RFC 8693). The subject token must have
 * been issued by this tenant: to this client, or to another client for whose user this client acts (`acting-client.ts`).
 * The new token expires no later than the subject token. This client cannot exchange it again.
 */
export const tokenExchange = grant({
  failureEvent: "fecte",
  parameters: z.object({
    subject_token: z.string().min(1).max(16_384),
    subject_token_type: z.literal(accessTokenType, { error: `must be ${accessTokenType}` }),
    requested_token_type: z.literal(accessTokenType, { error: `must be ${accessTokenType}` }).exactOptional(),
    audience: audienceParameter,
    resource: resourceParameter,
    scope: scopeParameter,
    organization: z.string().max(255).exactOptional(),
    actor_token: z.never({ error: "is not supported" }).exactOptional(),
  }),
})(async (sent, context) => {
  const { tenant, client } = context;
  const subject = await readSubjectToken(context, sent.subject_token);
  if (subject.jkt !== undefined && subject.clientId === client.record.client_id) requireKey(context, subject.jkt);
  const actor = subject.clientId === client.record.client_id ? undefined : await requireActor(tenant, client, subject);
  const { sessionId, grantId } = subject.userGrant;
  const reference = { userId: subject.subject, sessionId, grantId };
  const rethrowSubjectError = rethrowAs("invalid_request", "invalid_grant", "access_denied");
  const { user, session } = await requireActiveUser(tenant, client, reference, "'subject_token': the subject token was revoked").catch(
    rethrowSubjectError,
  );
  const organization = await grantedOrganization(tenant, client, {
    userId: user.user_id,
    connectionId: session?.connection_id,
    requested: sent.organization,
    stored: subject.organizationId ?? null,
    lostDescription: "'subject_token': the user is no longer a member of its organization",
  }).catch(rethrowAs("invalid_request", "invalid_grant"));
  if (actor !== undefined && organization?.id !== subject.organizationId)
    throw new PosternError("invalid_request", "'organization' must be that of the subject token");

  const [firstAudience] = subject.audiences;
  const target = (await requestedAudience(tenant, sent)) ?? firstAudience;
  const rethrowTargetError = rethrowAs("invalid_target", "access_denied");
  const api = await resolveApi(tenant, target).catch(rethrowTargetError);
  const requestedScope = sent.scope === undefined ? subject.scope : [...new Set(sent.scope.split(" ").filter((value) => value !== ""))];
  const ungranted = requestedScope.find((value) => !subject.scope.includes(value));
  if (ungranted !== undefined) throw new PosternError("invalid_scope", `the scope '${ungranted}' is not in the subject token`);
  const { scope: allowed, permissions } = await decideUserScopes(
    tenant,
    client,
    { userId: user.user_id, organizationId: organization?.id },
    requestedScope.filter((value) => value !== "offline_access"),
    api,
  ).catch(rethrowTargetError);
  if (actor === undefined && target !== firstAudience && needsConsent(client, api)) {
    // Consent for one API does not extend to another.
    const audience = api?.record.identifier ?? "";
    const consent = { userId: user.user_id, clientId: client.record.client_id, audience, scope: allowed, mayAct: false };
    if (!(await hasConsented(tenant, consent))) throw new PosternError("invalid_target", "the user has not consented to this API");
  }
  const rights = actor === undefined ? allowed : await scopesToAct(tenant, client, { userId: user.user_id, api, scope: allowed });
  const login = { tenant, client, userId: user.user_id, sessionId, organizationId: organization?.id, api, scope: rights };
  const actions = await grantActions({ ...login, requestedScope, protocol: "oauth2-token-exchange" });
  const scope = withoutWithheldScopes(rights, actions);
  const granted: UserAccess = {
    client,
    provenKey: context.provenKey,
    ...(subject.jkt !== undefined && { isExchangeOfBound: true as const }),
    user,
    sessionId,
    grantId,
    scope,
    // Permissions are limited to the requested scopes.
    ...(permissions && { permissions: permissions.filter((value) => scope.includes(value)) }),
    api,
    authTime: session === undefined ? subject.issuedAt * 1000 : authTimeOf(session),
    // The new token does not claim the second factor of the login that the exchanged token results from.
    methods: methodsOf(session, undefined),
    expiresAt: subject.expiresAt,
    exchanged: true,
    ...(actor && { actor }),
    ...(actions && { actions }),
    ...(organization && { organization }),
  };
  const issued = await issueTokens(tenant, granted, {
    access: true,
    // An ID token would state that the user signed in to a client that only acts.
    idToken: actor === undefined && scope.includes("openid"),
    event: { type: "secte", ...(actor && { details: { act: actor } }) },
  });
  return tokenResponse(issued, accessTokenType);
});

/**
 * Returns a user's access token. @throws {PosternError} `invalid_request` for any other token, and for a token that this
 * client got by an exchange.
 */
async function readSubjectToken({ tenant, client }: ClientContext, token: string): Promise<UserToken> {
  const subject = await findAccessToken(tenant, token);
  if (subject === undefined) throw invalidSubject("the subject token is not an access token that this tenant issued, or it has expired");
  const { userGrant } = subject;
  if (userGrant === undefined) throw invalidSubject("the subject token is not a user's access token");
  if (subject.clientId === client.record.client_id && subject.claims["exchanged"] === true)
    throw invalidSubject("the subject token was itself issued by a token exchange");
  return { ...subject, userGrant };
}

/**
 * Returns a function that rethrows errors with one of `codes` under the code that RFC 8693 section 2.2.2 defines for
 * problems with the subject token or the API.
 */
function rethrowAs(code: "invalid_request" | "invalid_target", ...codes: readonly ErrorCode[]): (thrown: unknown) => never {
  return (thrown) => {
    if (!isPosternError(thrown) || !codes.includes(thrown.code)) throw thrown;
    const { message, detail } = thrown;
    throw new PosternError(code, message, { ...(detail !== undefined && { detail }), cause: thrown });
  };
}
