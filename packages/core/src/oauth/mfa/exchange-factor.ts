import * as z from "zod";
import { requestedAudience } from "../../authorization/requested-audience.ts";
import { resolveApi } from "../../authorization/resolve-api.ts";
import { isPosternError, PosternError } from "../../errors.ts";
import type { PassedFactor } from "../../identity/factors/factor-uses.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import {
  consumeMfaToken,
  expiredMfaToken,
  openMfaToken,
  storeRefusal,
  type MfaRequest,
  type OpenMfaToken,
  type PendingGrant,
  type RequestedTokens,
  type UseByRecovery,
} from "../../identity/factors/mfa-token.ts";
import { recordLogin } from "../../identity/login/record-login.ts";
import { createSession, deleteNewSession } from "../../identity/sessions/session.ts";
import { confirmPassword } from "../../identity/users/passwords.ts";
import { proveClaimedAddress } from "../../identity/users/prove-claimed-address.ts";
import { auditClient, auditConnection, auditUser } from "../../logs/audit.ts";
import type { GuessedFactor } from "../../identity/factors/code-kind.ts";
import { checkFactors } from "../../authorization/step-up/check-factors.ts";
import { enterCode } from "../../login/factors/challenge.ts";
import { confirmNewFactor } from "../../login/factors/confirm-new-factor.ts";
import type { AuditEventType } from "../../model/logs/audit-event-types.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import type { TokenResponse } from "../token/token-response.ts";
import { mfaRequired, userTokenResponse, type RepeatableGrant } from "../token/user-token-response.ts";
import { actionDemandsOf, alreadyEnrolled, mfaFactorContext, openWaitingGrant, type WaitingGrant } from "./waiting-grant.ts";
import { audienceParameter, resourceParameter, scopeParameter } from "../token/target-parameters.ts";
import { findOne } from "../../store/find-one.ts";

/** The parameters of all MFA grants. */
export const mfaParameters = {
  mfa_token: z.string().min(1).max(4096).meta({ description: "The `mfa_token` of the error `mfa_required`" }),
  scope: scopeParameter.meta({ description: "Default: the scope of the request that returned the `mfa_token`. Other scopes are ignored" }),
  audience: audienceParameter.meta({ description: "If it is sent, it must be that of the first request" }),
  resource: resourceParameter,
};

export interface MfaParameters {
  readonly mfa_token: string;
  readonly scope?: string;
  readonly audience?: string;
  readonly resource?: string;
}

/**
 * Opens the sign-in that a request of an MFA grant continues, before a code is compared.
 * @throws {PosternError} the errors of {@link openMfaToken} and {@link openWaitingGrant}; `invalid_request` if the
 * request names another API than the first request.
 */
export async function openMfaGrant(context: ClientContext, sent: MfaParameters): Promise<WaitingGrant> {
  const { tenant, client } = context;
  const mfaToken = await openMfaToken(tenant, client.record.client_id, sent.mfa_token);
  const waiting = await openWaitingGrant({ ...context, mfaToken });
  await requireSameApi(context, mfaToken, sent);
  return waiting;
}

/** @throws {PosternError} `invalid_request` if a request names another API than the request that returned its `mfa_token`. */
export async function requireSameApi({ tenant }: ClientContext, { request }: OpenMfaToken, sent: MfaParameters): Promise<void> {
  const audience = await requestedAudience(tenant, sent);
  if (audience === undefined) return;
  const [named, first] = await Promise.all([resolveApi(tenant, audience), resolveApi(tenant, request.audience)]);
  if (named?.record.identifier !== first?.record.identifier)
    throw new PosternError("invalid_request", "'audience' must be the audience of the request that returned the mfa_token");
}

/** A code of a factor, in a request of an MFA grant. */
interface FactorExchange {
  readonly waiting: WaitingGrant;
  readonly sent: MfaParameters;
  readonly code: string;
  readonly factor: GuessedFactor;
  /** The unconfirmed factor that the code confirms. Omitted for an enrolled factor. */
  readonly newFactor?: Factor | undefined;
  /** The description of the error for a wrong code. */
  readonly wrongText: string;
  /**
   * Whether the user was adding a factor with the `mfa_token`, but has another one by now. A wrong code is then probably the
   * code of the new factor.
   */
  readonly isOvertaken?: boolean;
  /** The audit event of the exchange after a passkey, and after any other first factor. */
  readonly events: { readonly passkey: AuditEventType; readonly other: AuditEventType };
}

/**
 * Verifies the code of a factor and returns the tokens of the first request.
 * @throws {PosternError} `invalid_grant` (403) if the code is wrong; `TOO_MANY_REQUESTS` if the user has no attempt left;
 * `mfa_required` with a new `mfa_token` if a further factor is required; `expired_token` if another request used the
 * `mfa_token`, or if the account changed; `access_denied` if the user adds a first factor, but has another one by now.
 */
export async function exchangeFactor(context: ClientContext, exchange: FactorExchange): Promise<TokenResponse> {
  const { tenant, client } = context;
  const { waiting, sent, factor, newFactor, events } = exchange;
  const { token, connection, first } = waiting;
  const { request } = token;
  const next = await passFactor(context, exchange);
  await confirmPassword(tenant, { user: token.user, accountId: token.account.user_id }, first);
  const recovery = next === undefined ? {} : { recovery_code: next };
  const passed: readonly PassedFactor[] = [...request.passed, { type: factor.type, at: tenant.now() }];
  // A new factor changes the user's list of factors.
  const current = newFactor === undefined ? undefined : await findOne(tenant.data.users, { user_id: token.user.user_id });
  const user = current ?? token.user;
  const { decision } = await checkFactors({ tenant, user, first, passed, trustedBrowser: undefined, ...actionDemandsOf(request) });
  if (decision.kind !== "sufficient") {
    if (!(await consumeMfaToken(tenant, token, next === undefined ? undefined : {}))) throw expiredMfaToken();
    if (decision.kind === "sign-in-again") throw expiredMfaToken();
    throw await furtherFactorRequired(context, token, { user, connection, first, decision, passed }, recovery);
  }
  const { requestInfo, settings } = tenant;
  const session = await createSession(tenant, {
    userId: user.user_id,
    accountId: token.account.user_id,
    connectionId: connection.id,
    clientId: client.record.client_id,
    issuer: tenant.urls.issuer,
    method: first.method,
    userVerified: first.userVerified,
    channels: first.channels,
    factors: passed,
    authTime: { at: request.authenticated_at, isKnown: true },
    requestInfo,
    lifetimes: settings,
  });
  const { random } = tenant;
  const issued =
    next === undefined ? undefined : { session_id: session.id, grant_id: random.record("grt_"), refresh_token_id: random.record("rt_") };
  // The two conditional writes decide: the token was not used, and the account did not change since the first factor.
  const signedIn = (await consumeMfaToken(tenant, token, issued && { issued }))
    ? await recordLogin(tenant, user, { ...token.account, ...request.access })
    : undefined;
  if (signedIn === undefined) {
    await deleteNewSession(tenant.data, session);
    throw expiredMfaToken();
  }
  const recorded = tenant.audit({ type: "s", ...auditClient(client), ...auditConnection(connection), ...auditUser(signedIn) });
  const account = await proveClaimedAddress(tenant, token.account, first.method === "otp" ? first.channels : []);
  const { email_verified, phone_verified } = account.user_id === signedIn.user_id ? account : signedIn;
  const response = userTokenResponse(context, {
    user: { ...signedIn, email_verified, phone_verified },
    session,
    recorded,
    ...requestedTokens(request),
    scope: narrowScope(request.scope, sent.scope),
    event: first.method === "passkey" ? events.passkey : events.other,
    ...(issued && next !== undefined && { repeatable: toRepeatable(tenant, { token, issued, sent, code: next }) }),
  });
  return next === undefined ? response : withRecoveryCode(response, next);
}

/**
 * Adds the next recovery code to a response, and to its error if an Action requires a further factor or denies the login:
 * the former recovery code was used nevertheless.
 */
export async function withRecoveryCode(response: Promise<TokenResponse>, code: string): Promise<TokenResponse> {
  try {
    return { ...(await response), recovery_code: code };
  } catch (error) {
    if (!isPosternError(error) || error.status >= 500) throw error;
    throw new PosternError(error.code, error.message, { members: { ...error.members, recovery_code: code }, cause: error });
  }
}

/** A request that used a recovery code. */
interface RecoveryUse {
  readonly token: OpenMfaToken;
  readonly issued: NonNullable<UseByRecovery["issued"]>;
  readonly sent: MfaParameters;
  /** The next recovery code, which only the client with the former one can get. */
  readonly code: string;
}

/** Returns the grant of a response that contains a recovery code. */
export function toRepeatable(tenant: ClientContext["tenant"], { token, issued, sent, code }: RecoveryUse): RepeatableGrant {
  const { grant_id: grantId, refresh_token_id: refreshTokenId } = issued;
  return {
    grantId,
    refreshTokenId,
    secret: `${sent.mfa_token} ${code}`,
    storeRefusal: (refusal) => storeRefusal(tenant, token, refusal),
  };
}

/**
 * Creates the error for a sign-in that requires a further factor. The client continues with a new `mfa_token`.
 * @param members further members of the response.
 */
export async function furtherFactorRequired(
  context: ClientContext,
  { account, request }: OpenMfaToken,
  pending: Pick<PendingGrant, "user" | "connection" | "first" | "decision" | "passed">,
  members: { readonly recovery_code?: string },
): Promise<PosternError> {
  const { authenticated_at: authenticatedAt } = request;
  return mfaRequired(context, { ...pending, account, authenticatedAt, ...actionDemandsOf(request) }, requestedTokens(request), members);
}

/** Returns the tokens that the client requested with the first factor. */
export function requestedTokens({ scope, audience, organization, gty }: MfaRequest): RequestedTokens {
  return { scope, audience, ...(organization !== undefined && { organization }), ...(gty !== undefined && { gty }) };
}

/** Returns the scopes of the first request that the client still requests. */
export function narrowScope(first: string | undefined, sent: string | undefined): string | undefined {
  if (sent === undefined) return first;
  const wanted = sent.split(" ");
  return (first ?? "openid")
    .split(" ")
    .filter((scope) => wanted.includes(scope))
    .join(" ");
}

/** Verifies the code, and confirms the factor if it is new. @returns the next recovery code, if one was used. */
async function passFactor(context: ClientContext, exchange: FactorExchange): Promise<string | undefined> {
  const { waiting, code, factor, newFactor, wrongText, isOvertaken = false } = exchange;
  const factorContext = mfaFactorContext(context, waiting);
  const result =
    newFactor === undefined
      ? await enterCode(factorContext, "factor", factor, { code, isRepeatable: true })
      : // The first recovery code was stored with the factor when the user began to add it.
        await confirmNewFactor({ ...factorContext, prepare: () => Promise.resolve(undefined) }, newFactor, { code });
  if (result.kind === "passed") return result.nextRecoveryCode;
  if (result.kind === "confirmed") return undefined;
  if (result.kind === "rejected" && result.problem === "too-many-attempts")
    throw new PosternError("TOO_MANY_REQUESTS", mfaTexts.tooManyFailures);
  if (isOvertaken || result.kind === "already-enrolled") throw alreadyEnrolled();
  throw new PosternError("invalid_grant", wrongText, { status: 403 });
}
