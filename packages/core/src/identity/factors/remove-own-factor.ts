import type { DataContext, TenantContext } from "../../context.ts";
import { factorTypeSchema } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { changeRow, lostRace } from "../../store/change-row.ts";
import type { Row } from "../../store/schema.ts";
import { canRemoveFactor } from "./change-permission.ts";
import { auditFactor, type FactorOwner } from "./factor-events.ts";
import { confirmedFactors, findFactors, removeFactor, type Factor } from "./factors.ts";
import { areFactorsFrozen } from "./frozen-factors.ts";
import { recoveryCodeId } from "./recovery-code.ts";

/**
 * The outcome of a removal. `required`: the tenant requires a factor, and this is the user's last one. `absent`: the
 * user has no such factor.
 */
export type OwnRemoval = "removed" | "required" | "frozen" | "absent";

/**
 * Removes a confirmed factor at the request of its user. If the tenant requires a factor at every login, the last one
 * stays, also under parallel requests: a conditional write stores in the user's row which factor is removed, and it
 * compares the revision at which the remaining factors were counted. The next request completes a removal that a crash
 * interrupted. Of parallel requests to remove one factor, one returns `removed`. A recovery code that would be left alone
 * is removed as well, because it is no factor without another one. Tells the user, and writes the audit event.
 * @throws {PosternError} `conflict` if concurrent requests keep changing the user.
 */
export async function removeOwnFactor(
  tenant: TenantContext,
  owner: FactorOwner,
  factor: Factor,
  settings: MultifactorSettings,
): Promise<OwnRemoval> {
  const { user_id: userId } = owner.user;
  const claimed = await claimRemoval(tenant, userId, factor.id, settings);
  if (typeof claimed === "string") return claimed;
  const isRemoved = await removeFactor(tenant, userId, factor.id);
  if (claimed.isLast) await removeFactor(tenant, userId, await recoveryCodeId(userId));
  const guard = { user_id: userId, removing_factor: factor.id };
  await tenant.data.users.update(guard, { set: { removing_factor: null }, add: { revision: 1 } });
  if (!isRemoved) return "absent";
  await reportRemoval(tenant, owner, factor);
  return "removed";
}

/**
 * Removes a recovery code or an unconfirmed factor at the request of its user: the tenant never requires one. Tells the
 * user, and writes the audit event, unless the factor is unconfirmed.
 * @throws {PosternError} `conflict` as `removeFactor`.
 */
export async function removeOptionalFactor(
  tenant: TenantContext,
  owner: FactorOwner,
  factor: Factor,
): Promise<Exclude<OwnRemoval, "required">> {
  if (areFactorsFrozen(tenant, owner.user)) return "frozen";
  if (!(await removeFactor(tenant, owner.user.user_id, factor.id))) return "absent";
  if (factor.confirmed_at !== null) await reportRemoval(tenant, owner, factor);
  return "removed";
}

async function reportRemoval(tenant: TenantContext, owner: FactorOwner, factor: Factor): Promise<void> {
  const type = factorTypeSchema.parse(factor.type);
  const notice = await tenant.messages.notifyFactorChange(owner.user, { change: "removed", type, factor, client: owner.client });
  await auditFactor(tenant, owner, type, "removed", notice);
}

/**
 * Stores the removal in the user's row.
 * @returns why the factor is not removed; otherwise whether the user has no other independent factor.
 */
async function claimRemoval(
  context: DataContext,
  userId: string,
  factorId: string,
  settings: MultifactorSettings,
): Promise<Exclude<OwnRemoval, "removed"> | { readonly isLast: boolean }> {
  const { data } = context;
  let result: Exclude<OwnRemoval, "removed"> | { readonly isLast: boolean } = "absent";
  const change = async (user: Row<"users">): Promise<Partial<Row<"users">> | undefined> => {
    const { removing_factor: interrupted } = user;
    // Until another removal is complete, its factor must not count as one that stays.
    if (interrupted !== null && interrupted !== factorId) await removeFactor(context, userId, interrupted);
    if (areFactorsFrozen(context, user)) {
      result = "frozen";
      return undefined;
    }
    const factors = confirmedFactors(await findFactors(data, user));
    const factor = factors.find(({ id }) => id === factorId);
    const decision = factor === undefined ? "absent" : canRemoveFactor(factor, factors, settings);
    result = typeof decision === "string" ? decision : { isLast: decision.isLast };
    return typeof decision === "string" ? undefined : { removing_factor: factorId };
  };
  const { outcome } = await changeRow(data.users, { user_id: userId, linked_to: "" }, change);
  if (outcome === "lost-race") throw lostRace("user");
  return outcome === "absent" ? "absent" : result;
}
