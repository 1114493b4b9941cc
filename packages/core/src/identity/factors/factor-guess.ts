import type { FactorType } from "../../model/factors/factor-types.ts";
import { codeTargets, type CodeOwner, type FactorCodePlace } from "./factor-code.ts";
import type { FactorGuess } from "./verify-factor.ts";

/**
 * Returns what the code of a factor is compared with.
 * @param owner `factors` are the ones to compare with: the user's confirmed ones, or a new one alone. Other types are
 * ignored.
 * @returns undefined for a factor without codes, and if no address for the codes is known.
 */
export function toFactorGuess(type: FactorType, owner: CodeOwner, place: FactorCodePlace): FactorGuess["factor"] | undefined {
  switch (type) {
    case "totp":
      return { type, candidates: owner.factors.filter((factor) => factor.type === type) };
    case "recovery-code":
      return { type };
    case "phone":
    case "email": {
      const [target] = codeTargets(owner, type);
      return target && { type, target, place };
    }
    default:
      return undefined;
  }
}
