import { findOne } from "../../store/find-one.ts";
import type { Row } from "../../store/schema.ts";
import { hasIndependentFactor, hasUnavailableFactor, usableFactors } from "../../identity/factors/factor-policy.ts";
import { isPolicyInForce, type FirstFactor } from "../../identity/factors/factor-uses.ts";
import { PosternError } from "../../errors.ts";
import { factorKind, type FactorType } from "../../model/factors/factor-types.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { type FactorCheckResult, noUsableFactor } from "./check-factors.ts";
import { readSituation } from "./situation.ts";

/** Returns the first factor of a visitor who holds a mailed link or code: the mailbox of the account. */
export function mailboxOf({ email }: Pick<Row<"users">, "email">, at: number): FirstFactor {
  return { method: "otp", channels: [email], at };
}

/** Returns the primary account of an account. */
export async function primaryOf({ data }: RequestTenant, account: Row<"users">): Promise<Row<"users">> {
  if (account.linked_to === "") return account;
  const primary = await findOne(data.users, { user_id: account.linked_to });
  return primary ?? account;
}

/** Returns the result unless the user has a factor, but this server cannot use any. @throws {PosternError} `access_denied`. */
export function requireUsable(result: FactorCheckResult): FactorCheckResult {
  if (result.decision.kind === "unmet") throw new PosternError("access_denied", noUsableFactor, { reason: "no-usable-factor" });
  return result;
}

/** The options of {@link checkMailedLink}. */
interface MailedLinkOptions {
  /** The mailbox that received the link or code, see {@link mailboxOf}. */
  readonly first: FirstFactor;
  /** The factors that the user passed for this link or code. */
  readonly passed: readonly FactorType[];
  /**
   * `change`: the user adds a factor, so only a factor counts that permits changes. `reset`: the user sets a new password. A
   * user who has passkeys alone need not use one then, unless a policy requires a factor: passkeys replace the password
   * instead of adding to it, and a user who has lost them has no recovery code. `claim`: the user sets a new password and
   * proves an address of the account that was not proven before, so every factor that permits changes is required.
   */
  readonly isFor: "reset" | "change" | "claim";
}

/**
 * Decides whether a user who was identified only by a link or code in a mail must pass a factor before they set a new
 * password or add a factor: if they have a factor, even if no policy of the tenant requires one. `unmet`: the user has a
 * factor, but this server cannot use any of the user's factors now. The mail alone is not sufficient then.
 * @param user the primary account.
 */
export async function checkMailedLink(
  tenant: RequestTenant,
  user: Row<"users">,
  { first, passed, isFor }: MailedLinkOptions,
): Promise<FactorCheckResult> {
  if ((user.enrolled_factors ?? []).length === 0) return { decision: { kind: "sufficient" }, factors: [] };
  const { situation, factors } = await readSituation({ tenant, user, first, trustedBrowser: undefined });
  const counts = (type: FactorType): boolean => isFor === "reset" || factorKind(type).uses.permitsChanges;
  const types = usableFactors(situation).filter(counts);
  if (passed.some(counts)) return { decision: { kind: "sufficient" }, factors };
  if (types.length === 0) {
    const isUnmet = hasUnavailableFactor(situation) || (isFor === "claim" && hasIndependentFactor(factors.map(({ type }) => type)));
    return { decision: isUnmet ? { kind: "unmet", by: "policy" } : { kind: "sufficient" }, factors };
  }
  const isExempt = isFor === "reset" && types.every((type) => type === "passkey") && !isPolicyInForce(situation.settings);
  return { decision: isExempt ? { kind: "sufficient" } : { kind: "challenge", types }, factors };
}
