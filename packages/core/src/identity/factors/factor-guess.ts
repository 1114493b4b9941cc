import type { FactorType } from "../../model/factors/factor-types.ts";
import type { Row } from "../../store/schema.ts";
import { codeTargets, type FactorCodePlace } from "./factor-code.ts";
import type { Factor } from "./factors.ts";
import type { FactorGuess } from "./verify-factor.ts";

/** The factors of a user that a code may belong to. */
interface GuessedFactors {
  /** The primary account. */
  readonly user: Pick<Row<"users">, "email" | "email_verified">;
  /** The factors to compare with: the user's confirmed ones, or a new one alone. Other types are ignored. */
  readonly factors: readonly Factor[];
}

/**
 * Returns what the code of a factor is compared with.
 * @returns undefined for a factor without codes, and if no address for the codes is known.
 */
export function toFactorGuess(
  type: FactorType,
  { user, factors }: GuessedFactors,
  place: FactorCodePlace,
): FactorGuess["factor"] | undefined {
  switch (type) {
    case "totp":
      return { type, candidates: factors.filter((factor) => factor.type === type) };
    case "recovery-code":
      return { type };
    case "phone":
    case "email": {
      const [target] = codeTargets(user, factors, type);
      return target && { type, target, place };
    }
    default:
      return undefined;
  }
}
