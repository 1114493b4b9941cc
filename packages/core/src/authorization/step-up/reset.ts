import { auditClient, auditUser } from "../../logs/audit.ts";
import { usableFactors } from "../../identity/factors/factor-policy.ts";
import { PosternError } from "../../errors.ts";
import { isUnproven, isUnprovenSignUp } from "../../model/users/email-proof.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { storedTypes } from "../actions/factor-commands.ts";
import { runPostChallenge, type ResetInProgress } from "../actions/post-challenge.ts";
import { type FactorCheckResult, noRequiredFactor } from "./check-factors.ts";
import { checkMailedLink, mailboxOf, requireUsable } from "./mailed-link.ts";
import { readSituation } from "./situation.ts";

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
interface MailedReset extends ResetInProgress {
  readonly provesEmail: boolean;
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
