import { storedTypes } from "../actions/factor-commands.ts";
import { runPostChallenge, type ResetInProgress } from "../actions/post-challenge.ts";
import { auditClient, auditUser } from "../../logs/audit.ts";
import type { Row } from "../../store/schema.ts";
import { hasIndependentFactor, hasUnavailableFactor, usableFactors } from "../../identity/factors/factor-policy.ts";
import { factorUses, isPolicyInForce, type FirstFactor } from "../../identity/factors/factor-uses.ts";
import { PosternError } from "../../errors.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import { isUnproven, isUnprovenSignUp } from "../../model/users/email-proof.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { type FactorCheckResult, readSituation, noRequiredFactor, noUsableFactor } from "./check-factors.ts";

/** Returns the first factor of a visitor who holds a mailed link or code: the mailbox of the account. */
export function mailboxOf({ email }: Pick<Row<"users">, "email">, at: number): FirstFactor {
  return { method: "otp", channels: [email], at };
}

/**
 * Decides whether a user must pass a factor before they set a new password: one that an `onExecutePostChallenge` action
 * requires, otherwise any factor that the user has.
 * @throws {PosternError} the errors of {@link runPostChallenge}; `access_denied` if the user cannot use a factor that an
 * action requires, or if this server cannot use any of the user's factors now.
 */
export async function decideResetFactor(tenant: RequestTenant, reset: MailedReset): Promise<FactorCheckResult> {
  const { user, account, provedAt, provesEmail } = reset;
  const first = mailboxOf(account, provedAt);
  const passed = reset.passed.map(({ type }) => type);
  const commands = await runPostChallenge(tenant, reset);
  // The new password removes the factors, which may belong to another visitor.
  if (provesEmail && isUnprovenSignUp(account)) return { decision: { kind: "sufficient" }, factors: [] };
  const isFor = provesEmail && isUnproven(account) ? "claim" : "reset";
  if (commands.length === 0) return requireUsable(await checkMailedLink(tenant, user, { first, passed, isFor }));
  const { situation, factors } = await readSituation({ tenant, user, first, trustedBrowser: undefined });
  const usable = usableFactors(situation);
  for (const { action, command } of commands) {
    const named = storedTypes(command) ?? usable;
    if (named.some((type) => passed.includes(type))) continue;
    const types = named.filter((type) => usable.includes(type));
    if (types.length < (command.types?.length ?? types.length)) await warn(tenant, reset, { action, factors: [...(command.types ?? [])] });
    if (types.length === 0) throw await refusal(tenant, reset);
    return { decision: { kind: "challenge", types }, factors };
  }
  return requireUsable(await checkMailedLink(tenant, user, { first, passed, isFor }));
}

/** A password reset, and whether its link or code proves the email address of the account. */
export interface MailedReset extends ResetInProgress {
  readonly provesEmail: boolean;
}

/** Returns the result unless the user has a factor, but this server cannot use any. @throws {PosternError} `access_denied`. */
export function requireUsable(result: FactorCheckResult): FactorCheckResult {
  if (result.decision.kind === "unmet") throw new PosternError("access_denied", noUsableFactor, { reason: "no-usable-factor" });
  return result;
}

async function warn(
  tenant: RequestTenant,
  { client, user }: ResetInProgress,
  details: { readonly action: string; readonly factors: readonly string[] },
): Promise<void> {
  await tenant.audit({
    type: "w",
    description: "An action required a factor that the tenant has not enabled or the user cannot use. The factor was ignored.",
    details: { action: details.action, factors: [...details.factors] },
    ...auditClient(client),
    ...auditUser(user),
  });
}

async function refusal(tenant: RequestTenant, { client, user }: ResetInProgress): Promise<PosternError> {
  await tenant.audit({ type: "mfar", description: noRequiredFactor, ...auditClient(client), ...auditUser(user) });
  return new PosternError("access_denied", noRequiredFactor);
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
  const counts = (type: FactorType): boolean => isFor === "reset" || factorUses[type].permitsChanges;
  const types = usableFactors(situation).filter(counts);
  if (passed.some(counts)) return { decision: { kind: "sufficient" }, factors };
  if (types.length === 0) {
    const isUnmet = hasUnavailableFactor(situation) || (isFor === "claim" && hasIndependentFactor(factors.map(({ type }) => type)));
    return { decision: isUnmet ? { kind: "unmet", by: "policy" } : { kind: "sufficient" }, factors };
  }
  const isExempt = isFor === "reset" && types.every((type) => type === "passkey") && !isPolicyInForce(situation.settings);
  return { decision: isExempt ? { kind: "sufficient" } : { kind: "challenge", types }, factors };
}
