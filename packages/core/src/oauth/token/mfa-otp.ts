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
  const startedApp = await findStartedApp(context.tenant, waiting);
  const newFactor = startedApp && mayAdd(waiting) ? startedApp : undefined;
  const candidates = newFactor === undefined ? enrolledApps(waiting) : [newFactor];
  return exchangeFactor(context, {
    waiting,
    sent,
    code: sent.otp,
    factor: { type: "totp", candidates, target: undefined },
    newFactor,
    isOvertaken: startedApp !== undefined && newFactor === undefined,
    wrongText: mfaTexts.wrongOtp,
    events: { passkey: "sepkotpft", other: "seotpft" },
  });
});

function enrolledApps(waiting: WaitingGrant): readonly Factor[] {
  if (!challengeTypes(waiting).includes("totp")) throw new PosternError("unsupported_challenge_type", "the user has no authenticator app");
  return waiting.factors.filter(({ type }) => type === "totp");
}

/** Returns the unconfirmed authenticator app that the user started to add with this `mfa_token`. Undefined if the user added no app. */
async function findStartedApp(tenant: RequestTenant, { token }: WaitingGrant): Promise<Factor | undefined> {
  const { new_factor: id } = token.request;
  const factor = id === undefined ? undefined : await findFactor(tenant.data, token.user.user_id, id);
  return factor?.type === "totp" && isPendingFactor(tenant, factor) ? factor : undefined;
}

/**
 * Whether the user may add an authenticator app now. If they have a factor by now, the code must be that of an enrolled
 * app.
 */
function mayAdd(waiting: WaitingGrant): boolean {
  const { decision } = waiting;
  if (decision.kind !== "enroll") return false;
  requireEnrollment(waiting);
  return decision.types.includes("totp");
}
