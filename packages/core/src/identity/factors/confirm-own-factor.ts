import type { TenantContext } from "../../context.ts";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import { auditFactor, type FactorOwner } from "./factor-events.ts";
import { confirmFactor, type Confirmation, type ConfirmationOutcome, type Factor } from "./factors.ts";
import { activateRecoveryCode } from "./recovery-code.ts";

/**
 * Confirms a factor that its user adds, as {@link confirmFactor}, and then makes the recovery code valid whose hash is
 * stored with the factor. So only the request that confirms its factor gives the user a recovery code.
 *
 * Tells the user, and writes the audit events: the user has added the factor and, because its first code or response was
 * right, also passed it.
 */
export async function confirmOwnFactor(
  tenant: TenantContext,
  owner: FactorOwner,
  factor: Factor,
  confirmation: Confirmation,
): Promise<ConfirmationOutcome> {
  const outcome = await confirmFactor(tenant, factor, confirmation);
  if (outcome !== "confirmed") return outcome;
  const { codeHash: code_hash = factor.code_hash } = confirmation;
  if (code_hash !== null) await activateRecoveryCode(tenant, { ...factor, code_hash });
  const type = factorTypeSchema.parse(factor.type);
  const notice = await tenant.messages.notifyFactorChange(owner.user, { change: "added", type, factor, client: owner.client });
  await Promise.all([auditFactor(tenant, owner, type, "enrolled", notice), auditFactor(tenant, owner, type, "passed")]);
  return outcome;
}
