import type { DataContext, TenantContext } from "../../context.ts";
import { findCode, useCode } from "../one-time-codes/one-time-code.ts";
import { clearFactorAttempts, reserveFactorAttempt, type FactorAttempt } from "./factor-attempts.ts";
import { codePlaceOf, type CodeTarget, type FactorCodePlace } from "./factor-code.ts";
import { auditFactor, auditFailure, type FactorOwner } from "./factor-events.ts";
import { useFactor, type Factor } from "./factors.ts";
import { findNextRecoveryCode, useRecoveryCode, type RecoveryPlace } from "./recovery-code.ts";
import { verifyTotp } from "./totp.ts";

/** A code that a user typed for a factor. */
export interface FactorGuess extends FactorOwner {
  /** The code as typed. Whitespace is ignored. */
  readonly code: string;
  /** What the code is compared with. */
  readonly factor:
    | { readonly type: "totp"; readonly candidates: readonly Factor[] }
    | { readonly type: "phone" | "email"; readonly target: CodeTarget; readonly place: FactorCodePlace }
    | { readonly type: "recovery-code" };
  /** Whether the code is the first one of a factor that the user adds: see `confirmOwnFactor`. Default: false. */
  readonly isNew?: boolean;
  /** Where a recovery code is used, see `useRecoveryCode`. */
  readonly place?: RecoveryPlace | undefined;
  /** Identifies the submitted form and its code. However often the form is submitted, it counts as one attempt. */
  readonly form?: string | undefined;
}

/** A form that a browser may submit again, although its first submission used the code: the user clicked twice. */
interface RepeatableForm<Result> {
  /** Returns the result of the submission that used the code. Called before the code counts as wrong. */
  findRepeated(): Promise<Result | undefined>;
}

/** The result of a code. */
type FactorVerdict =
  | {
      readonly kind: "right";
      /** The factor that was used. Undefined for the account's email address and for a recovery code. */
      readonly factorId?: string | undefined;
      /** The recovery code that replaces the one that was used. It must be shown to the user once. */
      readonly nextRecoveryCode?: string;
    }
  | { readonly kind: "wrong" }
  /** No attempt was left, so the code was not compared. */
  | { readonly kind: "throttled" };

/** Another submission of the form used the code. */
interface RepeatedSubmission<Result> {
  readonly kind: "repeated";
  readonly result: Result;
}

/**
 * Verifies the code of a factor. The attempt is counted before the code is compared, and a conditional write decides: of
 * parallel calls with the same code, one succeeds.
 *
 * Writes the audit events of the attempt, except that of a right code for a new factor, which `confirmOwnFactor` writes.
 * If the attempt was the last one for now, an email tells the user.
 */
export async function verifyFactor(tenant: TenantContext, guess: FactorGuess): Promise<FactorVerdict>;
export async function verifyFactor<Result>(
  tenant: TenantContext,
  guess: FactorGuess & RepeatableForm<Result>,
): Promise<FactorVerdict | RepeatedSubmission<Result>>;
export async function verifyFactor<Result>(
  tenant: TenantContext,
  guess: FactorGuess & Partial<RepeatableForm<Result>>,
): Promise<FactorVerdict | RepeatedSubmission<Result>> {
  const { user, factor, isNew = false, form } = guess;
  const { type } = factor;
  const attempt = await reserveFactorAttempt(tenant, user.user_id, type, form);
  const found = typeof attempt === "string" ? undefined : await compare(tenant, guess);
  if (typeof attempt !== "string" && found !== undefined) {
    await Promise.all([
      attempt.succeed(),
      found.factorId !== undefined && type !== "recovery-code" && useFactor(tenant, found.factorId),
      !isNew && auditFactor(tenant, guess, type, "passed"),
    ]);
    return { kind: "right", ...found };
  }
  const result = await guess.findRepeated?.();
  if (result !== undefined) {
    if (attempt !== "throttled") await clearFactorAttempts(tenant, user.user_id, type);
    return { kind: "repeated", result };
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
async function recordFailure(tenant: TenantContext, guess: FactorGuess, attempt: FactorAttempt): Promise<void> {
  const { type } = guess.factor;
  // A form whose code will be accepted again in a moment is compared again then.
  if (!(await isUsedHere(tenant, guess))) await attempt.fail();
  await auditFailure(tenant, guess, { type, outcome: guess.isNew === true ? "rejected" : "wrong", isLast: attempt.isLast });
}

/** Whether the code is a recovery code that was used in the same place, but is not accepted again yet. */
async function isUsedHere(context: DataContext, { user, code, factor: { type }, place }: FactorGuess): Promise<boolean> {
  if (type !== "recovery-code" || place === undefined) return false;
  return (await findNextRecoveryCode(context, user, code, place.id)) !== undefined;
}

type Found = Omit<Extract<FactorVerdict, { kind: "right" }>, "kind">;

async function compare(context: DataContext, { user, code, factor, place: usedIn }: FactorGuess): Promise<Found | undefined> {
  switch (factor.type) {
    case "totp":
      for (const candidate of factor.candidates) if (await verifyTotp(context, candidate, code)) return { factorId: candidate.id };
      return undefined;
    case "recovery-code": {
      const next = await useRecoveryCode(context, user, code, usedIn);
      return next === undefined ? undefined : { nextRecoveryCode: next };
    }
    default: {
      const { target, place } = factor;
      const found = await findCode(context, { ...codePlaceOf(target, place), typed: code });
      return found !== undefined && (await useCode(context, found)) ? { factorId: target.id } : undefined;
    }
  }
}
