import type { TenantContext } from "../../context.ts";
import { auditFactor, type FactorOwner } from "./factor-events.ts";
import { findFactor } from "./factors.ts";
import { recoveryCodeId, storeRecoveryCode } from "./recovery-code.ts";

/**
 * Makes the recovery code with this hash the valid one of a user who requested it, as `storeRecoveryCode`. Tells the user,
 * and writes the audit event. Idempotent.
 * @throws {PosternError} `conflict` as `storeRecoveryCode`.
 */
export async function replaceRecoveryCode(tenant: TenantContext, owner: FactorOwner, codeHash: string): Promise<void> {
  const { user, client } = owner;
  const former = await findFactor(tenant.data, user.user_id, await recoveryCodeId(user.user_id));
  if (former?.code_hash === codeHash) return;
  await storeRecoveryCode(tenant, user, codeHash);
  const change = former === undefined ? "added" : "replaced";
  const notice = await tenant.messages.notifyFactorChange(user, { change, type: "recovery-code", client });
  await auditFactor(tenant, owner, "recovery-code", "enrolled", notice);
}
