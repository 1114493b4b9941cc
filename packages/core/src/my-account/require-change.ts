import { readSituation } from "../authorization/step-up/situation.ts";
import { noUsableFactor } from "../authorization/step-up/check-factors.ts";
import { PosternError } from "../errors.ts";
import { changeWindow } from "../identity/factors/change-permission.ts";
import { changePermission, type FactorSituation } from "../identity/factors/factor-policy.ts";
import type { Factor } from "../identity/factors/factors.ts";
import { frozenFactors } from "../identity/factors/frozen-factors.ts";
import type { FactorContext } from "../login/factors/context.ts";
import { multifactorAcr } from "../model/factors/acr.ts";
import { firstFactorIn } from "../oauth/mfa/waiting-grant.ts";
import { insufficientAuthentication } from "../tenants/callers/bearer-token.ts";
import type { MeContext } from "./me-route.ts";

/** The factors of a user who may change their account now. */
export interface ChangingUser {
  readonly situation: FactorSituation;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
  /** The context in which the user adds a factor. Codes and challenges are valid only in the session of the token. */
  readonly factorContext: FactorContext;
}

/**
 * Requires that the user of a token may change their account: the token was issued for a login with a factor of the last 15
 * minutes that permits changes, or the user has no factor and signed in within the last 15 minutes.
 * @throws {PosternError} `invalid_token` with a challenge (RFC 9470) if the user must authenticate again; `access_denied`
 * if this server cannot use any of the user's factors, or if the user reported a change.
 */
export async function requireChange({ tenant, client, mfaToken, sessionId }: MeContext): Promise<ChangingUser> {
  const { user, request } = mfaToken;
  const first = firstFactorIn(request);
  const { situation, factors } = await readSituation({ tenant, user, first, passed: request.passed, trustedBrowser: undefined });
  const { kind } = changePermission(situation);
  switch (kind) {
    case "allowed":
      return { situation, factors, factorContext: { tenant, user, client, first, factors, boundTo: sessionId } };
    case "frozen":
      throw frozenFactors();
    case "challenge":
      throw insufficientAuthentication("a second factor within the last 15 minutes is required", `acr_values="${multifactorAcr}"`);
    case "sign-in-again":
      throw insufficientAuthentication("a sign-in within the last 15 minutes is required", `max_age="${changeWindow / 1000}"`);
    default:
      throw new PosternError("access_denied", noUsableFactor);
  }
}
