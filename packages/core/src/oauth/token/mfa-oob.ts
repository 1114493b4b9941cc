import * as z from "zod";
import { PosternError } from "../../errors.ts";
import { codeTargets, type CodeTarget } from "../../identity/factors/factor-code.ts";
import { findFactor, isPendingFactor, type Factor } from "../../identity/factors/factors.ts";
import { mfaTexts } from "../../model/sdk-texts.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { exchangeFactor, mfaParameters, openMfaGrant } from "../mfa/exchange-factor.ts";
import { openOobCode, type OobCode } from "../mfa/oob-code.ts";
import { challengeTypes, requireEnrollment, type WaitingGrant } from "../mfa/waiting-grant.ts";
import { grant } from "./grant.ts";

/**
 * Exchanges an `mfa_token` and a code that was sent by text message or email for tokens. Auth0 defines this grant. The
 * first code also confirms an authenticator that was added at `/mfa/associate`.
 */
export const mfaOob = grant({
  failureEvent: "feoobft",
  parameters: z.object({
    ...mfaParameters,
    oob_code: z.string().min(1).max(4096).meta({ description: "The `oob_code` of `/mfa/challenge` or `/mfa/associate`" }),
    binding_code: z.string().max(100).exactOptional().meta({ description: "The code that the user received. Required" }),
  }),
})(async (sent, context) => {
  const { tenant } = context;
  const waiting = await openMfaGrant(context, sent);
  const opened = await openOobCode(context, waiting.token, sent.oob_code);
  const { binding_code: code = "" } = sent;
  if (code.trim() === "") throw new PosternError("invalid_request", mfaTexts.missingBindingCode);
  const { target, newFactor } = opened.purpose === "factor" ? findEnrolled(waiting, opened) : await findNew(tenant, waiting, opened);
  return exchangeFactor(context, {
    waiting,
    sent,
    code,
    factor: { type: target.type, candidates: [], target },
    newFactor,
    wrongText: mfaTexts.wrongBindingCode,
    events: { passkey: "sepkoobft", other: "seoobft" },
  });
});

/** The destination of the code, and the factor that the code confirms. */
interface SentCode {
  readonly target: CodeTarget;
  readonly newFactor?: Factor;
}

function findEnrolled(waiting: WaitingGrant, { target: id, type }: OobCode): SentCode {
  const allowed = challengeTypes(waiting).includes(type) ? codeTargets({ ...waiting, user: waiting.token.user }, type) : [];
  const target = allowed.find((one) => one.id === id);
  if (target === undefined) throw removed();
  return { target };
}

async function findNew(tenant: RequestTenant, waiting: WaitingGrant, { target: id, type }: OobCode): Promise<SentCode> {
  requireEnrollment(waiting);
  const newFactor = await findFactor(tenant.data, waiting.token.user.user_id, id);
  if (newFactor === undefined || newFactor.address === null || !isPendingFactor(tenant, newFactor)) throw removed();
  return { target: { id, type, address: newFactor.address }, newFactor };
}

/** The error for an authenticator that was removed or has expired since the code was sent. */
function removed(): PosternError {
  return new PosternError("invalid_grant", mfaTexts.wrongBindingCode, { status: 403 });
}
