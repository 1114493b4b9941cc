import type { DataContext } from "../../context.ts";
import type { Row } from "../../store/schema.ts";
import { findCode, useCode } from "../one-time-codes/one-time-code.ts";
import { reserveFactorAttempt } from "./factor-attempts.ts";
import { codePlaceOf, type CodeTarget, type FactorCodePlace } from "./factor-code.ts";
import { useFactor, type Factor } from "./factors.ts";
import { findNextRecoveryCode, useRecoveryCode, type RecoveryPlace } from "./recovery-code.ts";
import { verifyTotp } from "./totp.ts";

/** A code that a user typed for a factor. */
export interface FactorGuess {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The code as typed. Whitespace is ignored. */
  readonly code: string;
  /** What the code is compared with. */
  readonly factor:
    | { readonly type: "totp"; readonly candidates: readonly Factor[] }
    | { readonly type: "phone" | "email"; readonly target: CodeTarget; readonly place: FactorCodePlace }
    | { readonly type: "recovery-code" };
  /** Where a recovery code is used, see `useRecoveryCode`. */
  readonly place?: RecoveryPlace | undefined;
  /** Identifies the submitted form and its code. However often the form is submitted, it counts as one attempt. */
  readonly form?: string | undefined;
}

/** The result of a code. */
export type FactorVerdict =
  | {
      readonly kind: "right";
      /** The factor that was used. Undefined for the account's email address and for a recovery code. */
      readonly factorId?: string | undefined;
      /** The recovery code that replaces the one that was used. It must be shown to the user once. */
      readonly nextRecoveryCode?: string;
    }
  /**
   * `isLast`: the user has no attempt left for now, and must get an email about it. `isRepeated`: the form was submitted
   * before, so the code was neither compared nor counted again.
   */
  | { readonly kind: "wrong"; readonly isLast: boolean; readonly isRepeated: boolean }
  /** No attempt was left, so the code was not compared. */
  | { readonly kind: "throttled" };

/**
 * Verifies the code of a factor. The attempt is counted before the code is compared, and a conditional write decides: of
 * parallel calls with the same code, one succeeds.
 */
export async function verifyFactor(context: DataContext, guess: FactorGuess): Promise<FactorVerdict> {
  const { user, factor, form } = guess;
  const attempt = await reserveFactorAttempt(context, user.user_id, factor.type, form);
  if (attempt === "throttled") return { kind: "throttled" };
  if (attempt === "repeated") return { kind: "wrong", isLast: false, isRepeated: true };
  const found = await compare(context, guess);
  if (found === undefined) {
    // A form whose code will be accepted again in a moment is compared again then.
    if (!(await isUsedHere(context, guess))) await attempt.fail();
    return { kind: "wrong", isLast: attempt.isLast, isRepeated: false };
  }
  await Promise.all([
    attempt.succeed(),
    found.factorId !== undefined && factor.type !== "recovery-code" && useFactor(context, found.factorId),
  ]);
  return { kind: "right", ...found };
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
