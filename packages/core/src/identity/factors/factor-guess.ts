import type { ChosenFactor } from "./choose-factor.ts";
import type { FactorCodePlace } from "./factor-code.ts";
import type { FactorGuess } from "./verify-factor.ts";

/**
 * Returns what the code of a factor is compared with.
 * @param factor the factor that the user chose, or a new one alone.
 * @returns undefined for a factor without codes, and if no address for the codes is known.
 */
export function toFactorGuess(
  { type, candidates, target }: Pick<ChosenFactor, "type" | "candidates" | "target">,
  place: FactorCodePlace,
): FactorGuess["factor"] | undefined {
  switch (type) {
    case "totp":
      return { type, candidates };
    case "recovery-code":
      return { type };
    case "phone":
    case "email":
      return target && { type, target, place };
    default:
      return undefined;
  }
}
