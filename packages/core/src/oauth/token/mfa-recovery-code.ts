import * as z from "zod";
import { isPosternError, PosternError } from "../../errors.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { ClientContext } from "../../tenants/callers/route-context.ts";
import { exchangeFactor, mfaParameters, openMfaGrant, type MfaParameters } from "../mfa/exchange-factor.ts";
import { repeatExchange } from "../mfa/repeat-exchange.ts";
import { challengeTypes } from "../mfa/waiting-grant.ts";
import { grant } from "./grant.ts";
import type { TokenResponse } from "./token-response.ts";

/**
 * Exchanges an `mfa_token` and a recovery code for tokens. Auth0 defines this grant. The response contains the next
 * recovery code. For ten minutes, the same request gets the same recovery code.
 */
export const mfaRecoveryCode = grant({
  failureEvent: "fercft",
  parameters: z.object({ ...mfaParameters, recovery_code: z.string().min(1).max(100) }),
})(async (sent, context) => {
  try {
    return await exchangeRecoveryCode(context, sent);
  } catch (error) {
    if (!isPosternError(error) || error.code !== "expired_token") throw error;
    // An earlier request may have used the code, and its response was lost.
    const repeated = await repeatExchange(context, sent);
    if (repeated === undefined) throw error;
    return repeated;
  }
});

async function exchangeRecoveryCode(
  context: ClientContext,
  sent: MfaParameters & { readonly recovery_code: string },
): Promise<TokenResponse> {
  const waiting = await openMfaGrant(context, sent);
  if (!challengeTypes(waiting).includes("recovery-code"))
    throw new PosternError("unsupported_challenge_type", "the user has no recovery code");
  return exchangeFactor(context, {
    waiting,
    sent,
    code: sent.recovery_code,
    factor: { type: "recovery-code", candidates: [], target: undefined },
    wrongText: mfaTexts.wrongRecoveryCode,
    events: { passkey: "sepkrcft", other: "sercft" },
  });
}
