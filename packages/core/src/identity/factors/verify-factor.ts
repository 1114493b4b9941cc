import type { TenantContext } from "../../context.ts";
import type { RightCode, TypedCode } from "./code-kind.ts";
import { reserveFactorAttempt, type FactorAttempt } from "./factor-attempts.ts";
import { auditFactor, auditFailure, type FactorOwner } from "./factor-events.ts";
import { useFactor } from "./factors.ts";
import { codeKinds } from "./kinds.ts";

/** A code that a user typed for a factor. */
interface FactorGuess extends TypedCode, Pick<FactorOwner, "client"> {}

/** The result of a code. `throttled`: no attempt was left, so the code was not compared. */
type FactorVerdict = ({ readonly kind: "right" } & RightCode) | { readonly kind: "wrong" | "throttled" };

/**
 * Verifies the code of a factor. The attempt is counted before the code is compared, and a conditional write decides: of
 * parallel calls with the same code, one succeeds.
 *
 * Writes the audit events of the attempt, except that of a right code for a new factor, which `confirmOwnFactor` writes.
 * If the attempt was the last one for now, an email tells the user.
 */
export async function verifyFactor(tenant: TenantContext, guess: FactorGuess): Promise<FactorVerdict> {
  const { user, factor, form, place } = guess;
  const { type } = factor;
  const attempt = await reserveFactorAttempt(tenant, user.user_id, type, form);
  const found = typeof attempt === "string" ? undefined : await codeKinds[type]?.verify(tenant, guess);
  if (typeof attempt !== "string" && found !== undefined) {
    await Promise.all([
      attempt.succeed(),
      // The use of a form that was submitted before keeps its time, so that the form is not accepted for longer.
      found.factorId !== undefined && found.repeats === undefined && useFactor(tenant, found.factorId),
      // The event of a form that was submitted before is stored already.
      place.purpose === "factor" && found.repeats === undefined && auditFactor(tenant, guess, type, "passed"),
    ]);
    return { kind: "right", ...found };
  }
  if (attempt === "throttled") {
    await auditFactor(tenant, guess, type, "throttled");
    return { kind: "throttled" };
  }
  // The events of a form that was submitted before are stored already.
  if (attempt !== "repeated") await recordFailure(tenant, guess, attempt);
  return { kind: "wrong" };
}

/** Counts a wrong code, writes the audit events, and tells the user if it was the last one that is allowed for now. */
async function recordFailure(tenant: TenantContext, guess: TypedCode & FactorOwner, attempt: FactorAttempt): Promise<void> {
  const { factor, place } = guess;
  const { type } = factor;
  // A form whose code will be accepted in a moment is compared again then.
  if ((await codeKinds[type]?.willBeRight?.(tenant, guess)) !== true) await attempt.fail();
  const outcome = place.purpose === "add-factor" ? "rejected" : "wrong";
  await auditFailure(tenant, guess, { type, outcome, isLast: attempt.isLast });
}
