import type { HostServices } from "../../context.ts";
import { factorKind, factorsByStrength, type FactorType } from "../../model/factors/factor-types.ts";
import type { MultifactorSettings } from "../../model/factors/multifactor.ts";
import { hasIndependentFactor } from "./factor-policy.ts";
import { isFactorEnabled, isPolicyInForce } from "./factor-uses.ts";

/**
 * Why users cannot satisfy a policy. `no-factor-enabled`: the tenant enables no factor, so the policy is not in force.
 * `no-usable-factor`: the tenant enables factors, but this server can use none of those that protect an account alone.
 * Users without a factor cannot sign in then.
 */
export type PolicyProblem = "no-factor-enabled" | "no-usable-factor";

/**
 * Returns why users who have no factor cannot satisfy the policies of a tenant. Undefined if they can, or if the tenant
 * has no policy.
 * @param available the factors that this server can use for the tenant: {@link sendableFactors}, those with WebAuthn if
 * the host supports it, and `passkey` only if a connection of the tenant enables passkeys.
 */
export function policyProblem(
  settings: Pick<MultifactorSettings, "policies" | "factors">,
  available: readonly FactorType[],
): PolicyProblem | undefined {
  if (settings.policies.length === 0) return undefined;
  if (!isPolicyInForce(settings)) return "no-factor-enabled";
  return hasIndependentFactor(usableTypes(settings, available)) ? undefined : "no-usable-factor";
}

/** Whether a user with these confirmed factors has one that this server can use and that protects an account alone. */
export function hasUsableFactor(
  settings: Pick<MultifactorSettings, "factors">,
  available: readonly FactorType[],
  enrolled: readonly string[],
): boolean {
  return hasIndependentFactor(usableTypes(settings, available).filter((type) => enrolled.includes(type)));
}

/** Returns the factors that this server can use for every tenant, except those that depend on the host name. */
export function sendableFactors(host: Pick<HostServices, "mail" | "sms">): readonly FactorType[] {
  return factorsByStrength.filter((type) => {
    const { needs } = factorKind(type);
    return needs === undefined || (needs !== "webauthn" && host[needs] !== undefined);
  });
}

function usableTypes(settings: Pick<MultifactorSettings, "factors">, available: readonly FactorType[]): readonly FactorType[] {
  return available.filter((type) => isFactorEnabled(settings, type));
}
