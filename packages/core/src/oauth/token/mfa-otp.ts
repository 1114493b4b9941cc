import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { findFactor, isPendingFactor, type Factor } from "../../identity/factors/factors.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { exchangeFactor, mfaParameters, openMfaGrant } from "../mfa/exchange-factor.ts";
import { challengeTypes, requireEnrollment, type WaitingGrant } from "../mfa/waiting-grant.ts";
import { grant } from "./grant.ts";

/**
 * Exchanges an `mfa_token` and a code of an authenticator app for tokens. Auth0 defines this grant. The first code also
 * confirms an authenticator app that was added at `/mfa/associate`.
 */
export const mfaOtp = grant({
  failureEvent: "feotpft",
  parameters: z.object({ ...mfaParameters, otp: z.string().min(1).max(100).meta({ description: "The code of the authenticator app" }) }),
})(async (sent, context) => {
  const waiting = await openMfaGrant(context, sent);
  const newFactor = await findNewApp(context.tenant, waiting);
  const candidates = newFactor === undefined ? enrolledApps(waiting) : [newFactor];
  return exchangeFactor(context, {
    waiting,
    sent,
    code: sent.otp,
    factor: { type: "totp", candidates },
    newFactor,
    wrongText: mfaTexts.wrongOtp,
    events: { passkey: "sepkotpft", other: "seotpft" },
  });
});

function enrolledApps(waiting: WaitingGrant): readonly Factor[] {
  if (!challengeTypes(waiting).includes("totp")) throw new PosternError("unsupported_challenge_type", "the user has no authenticator app");
  return waiting.factors.filter(({ type }) => type === "totp");
}

/** Returns the authenticator app that the user is adding with this `mfa_token`. Undefined if there is none. */
async function findNewApp(tenant: RequestTenant, waiting: WaitingGrant): Promise<Factor | undefined> {
  const { decision, token } = waiting;
  const { new_factor: id } = token.request;
  if (decision.kind !== "enroll" || id === undefined) return undefined;
  requireEnrollment(waiting);
  const factor = await findFactor(tenant.data, token.user.user_id, id);
  return factor?.type === "totp" && decision.types.includes("totp") && isPendingFactor(tenant, factor) ? factor : undefined;
}
