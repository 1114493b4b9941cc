import * as z from "zod";
import { findFactors, isPendingFactor } from "../../identity/factors/factors.ts";
import { route } from "../../tenants/callers/route-context.ts";
import { authenticatorSchema, emailAuthenticator, listTargets, toAuthenticator } from "./authenticator.ts";
import { openWaitingGrant } from "./waiting-grant.ts";

/** Lists the authenticators of the user of an `mfa_token`. Addresses are masked, because the user has passed one factor. */
export const mfaAuthenticators = route({
  method: "GET",
  path: "/mfa/authenticators",
  summary: "List the authenticators of a user who must pass a second factor",
  scopes: "mfa",
  responses: {
    200: z.array(authenticatorSchema),
    400: { error: "invalid_request" },
    401: { error: "invalid_token: the token is missing. expired_token: the user must sign in again" },
    403: { error: "invalid_grant: the mfa_token is unknown" },
  },
})(async (_, context) => {
  const { tenant } = context;
  const waiting = await openWaitingGrant(context);
  const { user } = waiting.token;
  const factors = await findFactors(tenant.data, user.user_id);
  const listed = factors
    .filter((factor) => factor.confirmed_at !== null || isPendingFactor(tenant, factor))
    .map(toAuthenticator)
    .filter((one) => one !== undefined);
  if (waiting.decision.kind !== "challenge" || !waiting.decision.types.includes("email")) return listed;
  const ofAccount = (await listTargets(user, waiting.factors, "email")).filter(({ isOfAccount }) => isOfAccount);
  return [...listed, ...(await Promise.all(ofAccount.map(({ target }) => emailAuthenticator(user.user_id, target))))];
});
