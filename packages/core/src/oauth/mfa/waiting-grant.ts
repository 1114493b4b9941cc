import { checkFactors, type FactorCheck } from "../../login/missing-factor.ts";
import { PosternError } from "../../errors.ts";
import type { FactorDecision, FirstFactor } from "../../identity/factors/factor-policy.ts";
import type { Factor } from "../../identity/factors/factors.ts";
import { expiredMfaToken, type MfaRequest, type OpenMfaToken } from "../../identity/factors/mfa-token.ts";
import { mfaGrantTypes } from "../../model/clients/grant-types.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { Row } from "../../store/schema.ts";
import type { MfaContext } from "../../tenants/callers/route-context.ts";

/** A sign-in at the token endpoint that waits for a second factor. */
export interface WaitingGrant {
  readonly token: OpenMfaToken;
  readonly connection: Row<"connections">;
  readonly first: FirstFactor;
  readonly decision: Extract<FactorDecision, { kind: "challenge" | "enroll" }>;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
}

/** The context of a request with an `mfa_token`. */
export type MfaTokenContext = Pick<MfaContext, "tenant" | "client" | "mfaToken">;

/**
 * Returns the sign-in that an `mfa_token` continues. Decides again what the user must do, because the user's factors and
 * the tenant's policy may have changed since the token was issued.
 * @throws {PosternError} `unauthorized_client` if the client may use none of the MFA grants; `expired_token` if the
 * user needs no factor any more or the client no longer offers the connection, so that the user must sign in again;
 * `unmet_authentication_requirements` if the user can neither use nor add a required factor.
 */
export async function openWaitingGrant({ tenant, client, mfaToken: token }: MfaTokenContext): Promise<WaitingGrant> {
  if (!mfaGrantTypes.some((type) => client.record.grant_types.includes(type)))
    throw new PosternError("unauthorized_client", "the client is not allowed to use any of the MFA grant types");
  const { request, user } = token;
  const [connection, isOffered] = await Promise.all([
    tenant.connections.byId(request.connection_id),
    tenant.connections.offers(client, request.connection_id),
  ]);
  if (connection === undefined || !isOffered) throw expiredMfaToken();
  const first = firstFactorOf(request);
  const passed = request.passed.map(({ type }) => type);
  const { decision, factors } = await checkFactors({ tenant, user, first, passed, trustedBrowser: undefined, ...actionDemandsOf(request) });
  if (decision.kind === "sufficient") throw expiredMfaToken();
  if (decision.kind === "unmet") throw new PosternError("unmet_authentication_requirements", "the user has no factor that is sufficient");
  return { token, connection, first, decision, factors };
}

function firstFactorOf({ method, user_verified: userVerified, proved_mailbox: provedMailbox }: MfaRequest): FirstFactor {
  return { method, ...(userVerified !== undefined && { userVerified }), ...(provedMailbox !== undefined && { provedMailbox }) };
}

/** Returns the factors that Actions require, as a part of a check. */
export function actionDemandsOf({ demands }: MfaRequest): Pick<FactorCheck, "demands"> {
  return demands === undefined ? {} : { demands };
}

/** The factors that do not protect an account alone. */
const dependent: readonly string[] = ["email", "recovery-code"] satisfies readonly FactorType[];

/**
 * Requires that the user may add a factor with an `mfa_token`: the user has no factor yet, or has passed one. Otherwise a
 * password would be sufficient to add a factor to a protected account.
 * @throws {PosternError} `access_denied`.
 */
export function requireEnrollment({ decision, factors, token, first }: WaitingGrant): void {
  // A passkey that was the first factor is no second one.
  const others = factors.filter(({ type }) => type !== "passkey" || first.method !== "passkey");
  const isProtected = others.some(({ type }) => !dependent.includes(type)) && token.request.passed.length === 0;
  if (decision.kind === "challenge" || isProtected) throw new PosternError("access_denied", mfaTexts.alreadyEnrolled);
}

/**
 * Returns the types of the enrolled factors with which the user can continue, the strongest first.
 * @throws {PosternError} `association_required` if the user must add a factor first.
 */
export function challengeTypes({ decision }: WaitingGrant): readonly FactorType[] {
  if (decision.kind === "challenge") return decision.types;
  throw new PosternError("association_required", "the user has no authenticator: add one at /mfa/associate");
}
