import { factorKind } from "../../model/factors/factor-types.ts";
import type { ActionProtocol } from "../../adapters/actions.ts";
import { sessionStart, type SessionStart } from "../../identity/login/sign-in.ts";
import { factorTypesOf, readConfirmedFactors } from "../../identity/factors/confirmed-factors.ts";
import { hasIndependentFactor } from "../../identity/factors/factor-policy.ts";
import { combinesTwoFactors, type FirstFactor } from "../../identity/factors/factor-uses.ts";
import { multifactorSettings, type MultifactorSettings } from "../../model/factors/multifactor.ts";
import { createMfaToken, type PendingGrant, type RequestedTokens } from "../../identity/factors/mfa-token.ts";
import { multifactorAuthenticationRequired } from "../../model/sdk-texts.ts";
import { checkFactors } from "../../authorization/step-up/check-factors.ts";
import { claimDemand, claimsAddress, demandsAt } from "../../authorization/step-up/demands.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { Row } from "../../store/schema.ts";
import { createSession, deleteNewSession, type StoredSession } from "../../identity/sessions/session.ts";
import { acrOf, firstFactorOf, methodsOf, passedFactorsOf } from "../../identity/sessions/methods.ts";
import { withoutWithheldScopes } from "../../authorization/actions/action-result.ts";
import { grantedOrganization } from "../../authorization/organization.ts";
import { decideUserScopes } from "../../authorization/user-scopes.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import { keyOfAccessToken } from "../../authorization/issue-tokens/bind-token.ts";
import type { UserAccess } from "../../authorization/issue-tokens/granted-access.ts";
import { issueTokens } from "../../authorization/issue-tokens/issue-tokens.ts";
import { noClaims } from "../../authorization/requested-claims.ts";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import type { CachedApi } from "../../tenants/settings-cache.ts";
import { grantActions } from "./grant-actions.ts";
import { tokenResponse, type TokenResponse } from "./token-response.ts";

/** A session for a user who signed in, or a sign-in that needs a second factor first. */
type SessionOrPending = { readonly session: StoredSession } | { readonly session?: undefined; readonly pending: PendingGrant };

/**
 * Returns the start of a session for a user who signs in to a client without a browser. The session has no cookie;
 * refresh tokens are bound to the session. If the user must pass a second factor first, no session starts: see
 * {@link requireSession}.
 * @param api the API that the client requests tokens for. The MFA API requires a factor of a user who has one.
 */
export function sessionWithoutBrowser(
  { tenant, client }: ClientContext,
  method: FirstFactor["method"],
  connection: Row<"connections">,
  api?: CachedApi,
): SessionStart<SessionOrPending> {
  const { requestInfo, settings } = tenant;
  const demandsOfApi = demandsAt(api);
  return sessionStart(tenant, async (primary, account, channels): Promise<SessionOrPending> => {
    const first: FirstFactor = { method, channels, at: tenant.now(), ...(method === "passkey" && { userVerified: true }) };
    const demands = [...demandsOfApi, ...(claimsAddress(account, first) ? [claimDemand] : [])];
    const { decision } = await checkFactors({ tenant, user: primary, first, trustedBrowser: undefined, demands });
    // A first factor of this moment is recent.
    if (decision.kind === "sign-in-again") throw new Error("the user has just signed in");
    if (decision.kind !== "sufficient") return { pending: { user: primary, account, connection, first, decision, demands } };
    const session = await createSession(tenant, {
      userId: primary.user_id,
      accountId: account.user_id,
      connectionId: connection.id,
      clientId: client.record.client_id,
      issuer: tenant.urls.issuer,
      method,
      userVerified: first.userVerified,
      channels,
      requestInfo,
      lifetimes: settings,
    });
    return { session };
  });
}

/**
 * Returns the session that was started.
 * @throws {PosternError} `mfa_required` with an `mfa_token` if the user must pass a second factor first. The client
 * then continues with one of the MFA grants, and receives the tokens that it requested.
 */
export async function requireSession(
  { tenant, client }: ClientContext,
  started: SessionOrPending,
  requested: RequestedTokens,
): Promise<{ readonly session: StoredSession }> {
  if (started.session !== undefined) return started;
  throw await mfaRequired({ tenant, client }, started.pending, requested);
}

/** Creates the error `mfa_required` with a new `mfa_token`. @param members further members of the response. */
export async function mfaRequired(
  { tenant, client }: Pick<ClientContext, "tenant" | "client">,
  pending: PendingGrant,
  requested: RequestedTokens,
  members: { readonly [name: string]: unknown } = {},
): Promise<PosternError> {
  const { token, requirements } = await createMfaToken(tenant, client.record.client_id, pending, requested);
  return new PosternError("mfa_required", multifactorAuthenticationRequired, {
    members: { mfa_token: token, mfa_requirements: requirements, ...members },
  });
}

/** A user who signed in, and the tokens that the client requests for that user. */
interface SignedInRequest {
  readonly user: Row<"users">;
  /** Created by this request. Deleted if the client gets no tokens. */
  readonly session: StoredSession;
  /** Resolves when the audit event of the login is stored. Awaited before the response. */
  readonly recorded: Promise<unknown>;
  /** Separated by spaces. Default `openid`. */
  readonly scope: string | undefined;
  /** The identifier of the API. */
  readonly audience: string | undefined;
  /** The ID or the name of the organization. */
  readonly organization?: string | undefined;
  /** The `gty` claim of the access token, if Auth0 sets one. */
  readonly gty?: UserAccess["gty"];
  /** The name of the grant for Actions. Default: `oauth2-password`. */
  readonly protocol?: ActionProtocol;
  /** The type of the audit event for the exchange, if Auth0 has one in addition to the event for the login. */
  readonly event?: AuditEventType;
  /** Present if the client may repeat the request because it has not received the response. Default: it may not. */
  readonly repeatable?: RepeatableGrant;
}

/** A grant whose response can be repeated: all responses have the same grant and the same refresh token. */
export interface RepeatableGrant {
  readonly grantId: string;
  readonly refreshTokenId: string;
  /** A secret in the request. The text of the refresh token derives from it. */
  readonly secret: string;
  /** Stores the error of a refused request for its repetitions. */
  storeRefusal(refusal: PosternError): Promise<void>;
}

/**
 * Returns the tokens of a user who authenticated at the token endpoint.
 * @throws {PosternError} `access_denied` or `invalid_request` if the client may not request the API or the
 * organization, or if the user asked to delete the account.
 */
export async function userTokenResponse({ tenant, client, provenKey }: ClientContext, request: SignedInRequest): Promise<TokenResponse> {
  const { data } = tenant;
  const settings = multifactorSettings(tenant.record);
  const { user, session, recorded, repeatable } = request;
  const requested = new Set((request.scope ?? "openid").split(" ").filter((value) => value !== ""));
  const decide = async () => {
    // The page of the login asks whether to keep the account.
    if (user.deletes_at !== null)
      throw new PosternError("access_denied", "the user asked to delete the account, and must sign in on the login page");
    const api = await resolveApi(tenant, request.audience);
    // A client that must send a proof repeats the request: it must not leave a session.
    keyOfAccessToken({ client, api, provenKey });
    // A grant that learns the API only after the sign-in has not asked for the factor.
    const mayChange = demandsAt(api).length === 0 || permitsChanges(session, settings);
    if (!mayChange && hasIndependentFactor(factorTypesOf(await readConfirmedFactors(tenant, user))))
      throw new PosternError("access_denied", "tokens of the MFA API require a second factor");
    const organization = await grantedOrganization(tenant, client, {
      userId: user.user_id,
      connectionId: session.connection_id,
      requested: request.organization,
      stored: null,
      lostDescription: "the user is not a member of the organization",
    });
    const principal = { userId: user.user_id, organizationId: organization?.id };
    const rights = await decideUserScopes(tenant, client, principal, [...requested], api);
    const login = { tenant, client, ...principal, sessionId: session.id, api, scope: rights.scope };
    const { scope, audience, organization: named, gty } = request;
    const actions = await grantActions({
      ...login,
      requestedScope: [...requested],
      protocol: request.protocol ?? "oauth2-password",
      requested: { scope, audience, organization: named, ...(gty === "password" && { gty }) },
    });
    return { api, organization, ...rights, scope: withoutWithheldScopes(rights.scope, actions), ...(actions && { actions }) };
  };
  // A rejected request must not leave a session behind. After a temporary error, a repeated request needs the session.
  const refused = async (thrown: unknown): Promise<never> => {
    const refusal = isPosternError(thrown) && thrown.status < 500 ? thrown : undefined;
    if (refusal !== undefined) await repeatable?.storeRefusal(refusal);
    if (repeatable === undefined || refusal !== undefined) await deleteNewSession(data, session);
    throw thrown;
  };
  const [{ api, organization, ...rights }] = await Promise.all([decide().catch(refused), recorded]);
  const { scope } = rights;
  const acr = acrOf(session, settings);
  const claims = acr === undefined ? noClaims : { ...noClaims, acr };
  const granted: UserAccess = {
    client,
    provenKey,
    user,
    sessionId: session.id,
    grantId: repeatable?.grantId ?? tenant.random.record("grt_"),
    ...rights,
    api,
    authTime: session.authenticated_at,
    methods: methodsOf(session, acr),
    claims,
    ...(organization && { organization }),
    ...(request.gty !== undefined && { gty: request.gty }),
  };
  const issued = await issueTokens(tenant, granted, {
    access: true,
    idToken: scope.includes("openid"),
    refreshToken: scope.includes("offline_access")
      ? { scope, audience: api?.record.identifier ?? null, ...(repeatable && { repeatable }) }
      : undefined,
    event: request.event && { type: request.event },
  });
  return tokenResponse(issued);
}

/** Whether the user of a session that just started passed a factor after which factors may be changed. */
function permitsChanges(session: StoredSession, settings: MultifactorSettings): boolean {
  return (
    passedFactorsOf(session).some(({ type }) => factorKind(type).uses.permitsChanges) ||
    combinesTwoFactors(firstFactorOf(session), settings)
  );
}
