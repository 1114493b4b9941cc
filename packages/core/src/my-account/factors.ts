import { readSituation } from "../authorization/step-up/situation.ts";
import { enrollableFactors } from "../identity/factors/factor-policy.ts";
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
  const [{ situation }, hasPasskeys] = await Promise.all([
    readSituation({ tenant, user, first, passed: request.passed, trustedBrowser: undefined }),
    offersPasskeys(context),
  ]);
  const types = enrollableFactors(situation).filter((type) => type !== "passkey");
  const all = hasPasskeys ? (["passkey", ...types] as const) : types;
  return { factors: all.map((type) => ({ type, usage: usageOf(type) })) };
});
