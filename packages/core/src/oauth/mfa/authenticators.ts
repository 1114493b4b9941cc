import * as z from "zod";
import { findFactors, isPendingFactor } from "../../identity/factors/factors.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { authenticatorSchema, emailAuthenticator, listTargets, toAuthenticator } from "./authenticator.ts";
import { openWaitingGrant, requireMfaScope } from "./waiting-grant.ts";

/** Lists the authenticators of the user of a token. Addresses are masked, because the user may have passed only one factor. */
export const mfaAuthenticators = route({
  method: "GET",
  path: "/mfa/authenticators",
  summary: "List the authenticators of a user",
  description: "Requires an `mfa_token`, or an access token for `<issuer>mfa/` with the scope `read:authenticators`.",
  scopes: "mfa",
  responses: {
    200: z.array(authenticatorSchema),
    400: { error: "invalid_request" },
    401: { error: "invalid_token: the token is missing. expired_token: the user must sign in again" },
    403: { error: "invalid_grant: the mfa_token is unknown. insufficient_scope" },
  },
})(async (_, context) => {
  const { tenant } = context;
  requireMfaScope(context.scope, "read:authenticators");
  const waiting = await openWaitingGrant(context);
  const { user } = waiting.token;
  const factors = await findFactors(tenant.data, user);
  const listed = factors
    .filter((factor) => factor.confirmed_at !== null || isPendingFactor(tenant, factor))
    .map((factor) => toAuthenticator(tenant, factor))
    .filter((one) => one !== undefined);
  if (!waiting.usable.includes("email")) return listed;
  const ofAccount = (await listTargets({ ...waiting, user }, "email")).filter(({ isOfAccount }) => isOfAccount);
  return [...listed, ...(await Promise.all(ofAccount.map(({ target }) => emailAuthenticator(user.user_id, target))))];
});
