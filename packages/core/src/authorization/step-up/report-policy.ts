import type { FactorDecision } from "../../identity/factors/factor-policy.ts";
import { isPolicyInForce } from "../../identity/factors/factor-uses.ts";
import type { PolicyProblem } from "../../identity/factors/policy-problem.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";

const descriptions: { readonly [Problem in PolicyProblem]: string } = {
  "no-factor-enabled": "A policy requires a second factor, but the tenant enables none. The policy is not in force.",
  "no-usable-factor": "A policy requires a second factor, but a user can neither use nor add one. The sign-in was refused.",
};

/**
 * Writes an audit event if a policy of the tenant cannot be satisfied at a sign-in: at most one an hour for each problem,
 * in this process.
 */
export async function reportPolicy(tenant: RequestTenant, decision: FactorDecision): Promise<void> {
  const settings = multifactorSettings(tenant.record);
  const problem = problemOf(settings, decision);
  if (problem === undefined || !tenant.processState.hourlyNotices.isDue(JSON.stringify([tenant.id, problem]), tenant.now())) return;
  await tenant.audit({ type: "w", description: descriptions[problem], details: { policies: [...settings.policies], reason: problem } });
}

function problemOf(settings: ReturnType<typeof multifactorSettings>, decision: FactorDecision): PolicyProblem | undefined {
  if (settings.policies.length === 0) return undefined;
  if (!isPolicyInForce(settings)) return "no-factor-enabled";
  return decision.kind === "unmet" && decision.by === "policy" ? "no-usable-factor" : undefined;
}
