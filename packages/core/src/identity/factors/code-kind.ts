import type { DataContext } from "../../context.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import type { CodeTarget, FactorCodePlace } from "./factor-code.ts";
import type { Factor } from "./factors.ts";
import type { RecoveryPlace } from "./recovery-code.ts";

/** The factor and the destination that a typed code belongs to. */
export interface GuessedFactor {
  readonly type: FactorType;
  /** The user's confirmed factors of this type, or a new one alone. */
  readonly candidates: readonly Factor[];
  /** Where the code was sent. Undefined for a factor without sent codes. */
  readonly target: CodeTarget | undefined;
}

/** A typed code, and where it is used. */
export interface TypedCode {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The code as typed. */
  readonly code: string;
  readonly factor: GuessedFactor;
  /** Where a sent code is valid. */
  readonly place: FactorCodePlace;
  /** Where a recovery code is used. */
  readonly recoveryPlace: RecoveryPlace;
  /**
   * Identifies the submitted form and its code. However often the form is submitted, it counts as one attempt, and a right
   * code is accepted each time. Undefined if no form was submitted.
   */
  readonly form: string | undefined;
}

/** A code that was right. */
export interface RightCode {
  /** The factor that was used. Undefined for the account's email address and for a recovery code. */
  readonly factorId?: string;
  /** The recovery code that replaces the one that was used. It must be shown to the user once. */
  readonly nextRecoveryCode?: string;
  /** Present if another submission of the form has used the code before: when, in milliseconds since 1970. */
  readonly repeats?: { readonly at: number };
}

/** The rules of a kind of factor whose codes users enter. */
export interface CodeKind {
  /** Compares a code, and uses it up if it is right. Of parallel calls with the same code, one succeeds. */
  verify(context: DataContext, typed: TypedCode): Promise<RightCode | undefined>;
  /** Whether a code that is wrong now will be right in a moment, so that its form does not count as failed. Default: no. */
  willBeRight?(context: DataContext, typed: TypedCode): Promise<boolean>;
}
