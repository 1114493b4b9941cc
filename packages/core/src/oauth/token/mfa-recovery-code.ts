import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import { exchangeFactor, mfaParameters, openMfaGrant } from "../mfa/exchange-factor.ts";
import { challengeTypes } from "../mfa/waiting-grant.ts";
import { grant } from "./grant.ts";

/**
 * Exchanges an `mfa_token` and a recovery code for tokens. Auth0 defines this grant. The response contains the next
 * recovery code.
 */
export const mfaRecoveryCode = grant({
  failureEvent: "fercft",
  parameters: z.object({ ...mfaParameters, recovery_code: z.string().min(1).max(100) }),
})(async (sent, context) => {
  const waiting = await openMfaGrant(context, sent);
  if (!challengeTypes(waiting).includes("recovery-code"))
    throw new PosternError("unsupported_challenge_type", "the user has no recovery code");
  return exchangeFactor(context, {
    waiting,
    sent,
    code: sent.recovery_code,
    factor: { type: "recovery-code" },
    wrongText: mfaTexts.wrongRecoveryCode,
    events: { passkey: "sepkrcft", other: "sercft" },
  });
});
