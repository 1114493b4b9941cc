import { readSituation } from "../authorization/step-up/situation.ts";
import { addableByApi } from "../identity/factors/factor-policy.ts";
import { canHaveRecoveryCode } from "../identity/factors/recovery-code.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import { myFactorsSchema, usageOf } from "../model/my-account/authentication-methods.ts";
import { firstFactorIn } from "../oauth/mfa/waiting-grant.ts";
import { meRoute } from "./me-route.ts";
import { offersPasskeys } from "./passkeys-offered.ts";

/** Lists the types of authentication methods that the user can add. */
export const listMyFactors = meRoute({
  method: "GET",
  path: "/me/v1/factors",
  summary: "List the types of authentication methods that the user can add",
  scopes: ["read:me:factors"],
  responses: { 200: myFactorsSchema, 401: { error: "invalid_token" }, 403: { error: "insufficient_scope" } },
})(async (_, context) => {
  const { tenant, mfaToken } = context;
  const { user, request } = mfaToken;
  const first = firstFactorIn(request);
  const [{ situation, factors }, hasPasskeys] = await Promise.all([
    readSituation({ tenant, user, first, passed: request.passed, trustedBrowser: undefined }),
    offersPasskeys(context),
  ]);
  const all: readonly FactorType[] = [
    ...(hasPasskeys ? (["passkey"] as const) : []),
    ...addableByApi(situation),
    ...(canHaveRecoveryCode(multifactorSettings(tenant.record), factors) ? (["recovery-code"] as const) : []),
  ];
  return { factors: all.map((type) => ({ type, usage: usageOf(type) })) };
});
