import type { TenantContext } from "../../context.ts";
import { auditFactor, type FactorOwner } from "./factor-events.ts";
import { storeFactor, type Factor, type NewFactor } from "./factors.ts";

/**
 * Starts to add a factor for its user: stores it unconfirmed, as `storeFactor`, and writes the audit event. Its first code
 * confirms it, see `confirmOwnFactor`.
 * @throws {PosternError} the errors of `storeFactor`.
 */
export async function enrollFactor(tenant: TenantContext, owner: FactorOwner, input: Omit<NewFactor, "confirmed" | "by">): Promise<Factor> {
  const factor = await storeFactor(tenant, owner.user, input);
  await auditFactor(tenant, owner, input.type, "started");
  return factor;
}
