import type { DataContext } from "../../context.ts";
import { confirmFactor, type Confirmation, type ConfirmationOutcome, type Factor } from "./factors.ts";
import { activateRecoveryCode } from "./recovery-code.ts";

/**
 * Confirms a factor that its user adds, as {@link confirmFactor}, and then makes the recovery code valid whose hash is
 * stored with the factor. So only the request that confirms its factor gives the user a recovery code.
 */
export async function confirmOwnFactor(
  context: DataContext,
  factor: Pick<Factor, "id" | "user_id" | "type" | "code_hash">,
  confirmation: Confirmation,
): Promise<ConfirmationOutcome> {
  const outcome = await confirmFactor(context, factor, confirmation);
  const { codeHash: code_hash = factor.code_hash } = confirmation;
  if (outcome === "confirmed" && code_hash !== null) await activateRecoveryCode(context, { ...factor, code_hash });
  return outcome;
}
