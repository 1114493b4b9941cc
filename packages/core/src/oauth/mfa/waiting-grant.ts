import { checkFactors, noUsableFactor } from "../../authorization/step-up/check-factors.ts";
import { readSituation, type FactorCheck } from "../../authorization/step-up/situation.ts";
import { PosternError } from "../../errors.ts";
import {
  addableByApi,
  changePermission,
  hasIndependentFactor,
  usableFactors,
  type FactorDecision,
} from "../../identity/factors/factor-policy.ts";
import { changeWindow } from "../../identity/factors/change-permission.ts";
import type { FirstFactor } from "../../identity/factors/factor-uses.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { expiredMfaToken, type MfaRequest, type OpenMfaToken } from "../../identity/factors/mfa-token.ts";
import { mfaGrantTypes } from "../../model/clients/grant-types.ts";
import { multifactorAcr } from "../../model/factors/acr.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { FactorContext } from "../../login/factors/context.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { Row } from "../../store/schema.ts";
import { insufficientAuthentication } from "../../tenants/callers/bearer-token.ts";
import type { MfaContext } from "../../tenants/callers/route-context.ts";

/** A sign-in at the token endpoint that waits for a second factor. */
export interface WaitingGrant {
  readonly token: OpenMfaToken;
  readonly connection: Row<"connections">;
  readonly first: FirstFactor;
  readonly decision: Extract<FactorDecision, { kind: "challenge" | "enroll" }>;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
  /** The types that the user can be challenged with. */
  readonly usable: readonly FactorType[];
}

/** The context of a request with an `mfa_token`. */
export type MfaTokenContext = Pick<MfaContext, "tenant" | "client" | "mfaToken">;

/**
 * Returns the sign-in that an `mfa_token` continues, or the addition of a factor with an access token of the MFA API.
 * Decides again what the user must do, because the user's factors and
 * the tenant's policy may have changed since the token was issued.
 * @throws {PosternError} `unauthorized_client` if the client may use none of the MFA grants; `expired_token` if the
 * user needs no factor any more or the client no longer offers the connection, so that the user must sign in again;
 * `unmet_authentication_requirements` if the user can neither use nor add a required factor.
 */
export async function openWaitingGrant({ tenant, client, mfaToken: token }: MfaTokenContext): Promise<WaitingGrant> {
  const { request, user } = token;
  if (request.access_token === undefined) requireMfaGrant(client);
  const connection = await requireConnection({ tenant, client }, request);
  const first = firstFactorIn(request);
  const { passed } = request;
  if (request.access_token !== undefined) {
    const { situation, factors } = await readSituation({ tenant, user, first, passed, trustedBrowser: undefined });
    return {
      token,
      connection,
      first,
      decision: { kind: "enroll", types: addableByApi(situation) },
      factors,
      usable: usableFactors(situation),
    };
  }
  const { decision, factors } = await checkFactors({ tenant, user, first, passed, trustedBrowser: undefined, ...actionDemandsOf(request) });
  if (decision.kind === "sufficient" || decision.kind === "sign-in-again") throw expiredMfaToken();
  if (decision.kind === "unmet") throw new PosternError("unmet_authentication_requirements", "the user has no factor that is sufficient");
  return { token, connection, first, decision, factors, usable: decision.kind === "challenge" ? decision.types : [] };
}

/**
 * Returns the context in which the user passes or adds a factor with an `mfa_token`.
 * @param uiLocales the languages for messages. Default: those of the tenant.
 */
export function mfaFactorContext(
  { tenant, client }: Pick<MfaContext, "tenant" | "client">,
  { token, first, factors }: Pick<WaitingGrant, "token" | "first" | "factors">,
  uiLocales?: string,
): FactorContext {
  return { tenant, user: token.user, client, first, factors, boundTo: token.hash, uiLocales };
}

/** Returns the connection of the first factor. @throws {PosternError} `expired_token` if the client no longer offers it. */
export async function requireConnection(
  { tenant, client }: Pick<MfaContext, "tenant" | "client">,
  { connection_id: id }: MfaRequest,
): Promise<Row<"connections">> {
  const [connection, isOffered] = await Promise.all([tenant.connections.byId(id), tenant.connections.offers(client, id)]);
  if (connection === undefined || !isOffered) throw expiredMfaToken();
  return connection;
}

/** @throws {PosternError} `unauthorized_client` if the client may use none of the MFA grants. */
export function requireMfaGrant({ record }: MfaContext["client"]): void {
  if (!mfaGrantTypes.some((type) => record.grant_types.includes(type)))
    throw new PosternError("unauthorized_client", "the client is not allowed to use any of the MFA grant types");
}

/** Returns the first factor of the sign-in that an `mfa_token` continues. */
export function firstFactorIn({ method, user_verified: userVerified, channels, authenticated_at: at }: MfaRequest): FirstFactor {
  return { method, at, ...(userVerified !== undefined && { userVerified }), ...(channels !== undefined && { channels }) };
}

/** Returns the factors that Actions require, as a part of a check. */
export function actionDemandsOf({ demands }: MfaRequest): Pick<FactorCheck, "demands"> {
  return demands === undefined ? {} : { demands };
}

/**
 * Requires that the user may add a factor with an `mfa_token`: the user has no factor yet, or has passed one. Otherwise a
 * password would be sufficient to add a factor to a protected account.
 * @throws {PosternError} `access_denied`.
 */
export function requireEnrollment({ decision, factors, token, first }: WaitingGrant): void {
  // A passkey that was the first factor is no second one.
  const others = factors.filter(({ type }) => type !== "passkey" || first.method !== "passkey");
  const isProtected = hasIndependentFactor(others.map(({ type }) => type)) && token.request.passed.length === 0;
  if (decision.kind === "challenge" || isProtected) throw alreadyEnrolled();
}

/** Creates the error for a user who has a factor and must pass it before they add another one. */
export function alreadyEnrolled(): PosternError {
  return new PosternError("access_denied", mfaTexts.alreadyEnrolled);
}

/**
 * Requires that an access token of the MFA API may change the user's factors.
 * @throws {PosternError} `insufficient_scope` if the token lacks the scope; `invalid_token` if the user must pass a factor
 * that permits changes, or sign in again; `access_denied` if this server cannot use any of the user's factors now.
 */
export async function requireFactorChange({ tenant, mfaToken, scope }: MfaContext, required: MfaScope): Promise<void> {
  requireMfaScope(scope, required);
  if (scope === undefined) return;
  const { user, request } = mfaToken;
  const first = firstFactorIn(request);
  const { situation } = await readSituation({ tenant, user, first, passed: request.passed, trustedBrowser: undefined });
  const { kind } = changePermission({ ...situation, isFrozen: false });
  if (kind === "challenge")
    throw insufficientAuthentication("a second factor within the last 15 minutes is required", `acr_values="${multifactorAcr}"`);
  if (kind === "sign-in-again")
    throw insufficientAuthentication("a sign-in within the last 15 minutes is required", `max_age="${changeWindow / 1000}"`);
  if (kind === "unavailable") throw new PosternError("access_denied", noUsableFactor);
}

/** The scopes of the MFA API. */
export type MfaScope = "enroll" | "read:authenticators" | "remove:authenticators";

/** Requires a scope of an access token. An `mfa_token` has none, and is accepted. @throws {PosternError} `insufficient_scope`. */
export function requireMfaScope(scope: readonly string[] | undefined, required: MfaScope): void {
  if (scope === undefined || scope.includes(required)) return;
  throw new PosternError("insufficient_scope", `the token requires the scope ${required}`, {
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${required}"` },
  });
}

/**
 * Returns the types of the enrolled factors with which the user can continue, the strongest first.
 * @throws {PosternError} `association_required` if the user must add a factor first.
 */
export function challengeTypes({ decision }: WaitingGrant): readonly FactorType[] {
  if (decision.kind === "challenge") return decision.types;
  throw new PosternError("association_required", "the user has no authenticator: add one at /mfa/associate");
}
