import { multifactorAcr, phishingResistantAcr, supportedAcrs, type Acr } from "../model/factors/acr.ts";
import { independentFactors, type TenantFactor } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** The factors of a tenant with which a user can satisfy an `acr` value, without another second factor. */
const satisfying: { readonly [acr in Acr]: readonly TenantFactor[] } = {
  [multifactorAcr]: independentFactors,
  [phishingResistantAcr]: ["webauthn-roaming"],
};

/**
 * Returns the `acr` values that the tenant lists in discovery. `acr_values` can require exactly these, and other values
 * in it are ignored. The tenant lists the values that users can satisfy with the factors and passkeys that it enables,
 * limited to its setting `acr_values_supported`. Reads only cached settings.
 */
export async function listedAcrs({ record, settings, connections }: RequestTenant): Promise<readonly Acr[]> {
  const { factors, passkey_counts_as_factor: passkeyCounts } = multifactorSettings(record);
  const { acr_values_supported: limit } = settings;
  const possible = supportedAcrs.filter((acr) => limit === undefined || limit.includes(acr));
  const byFactor = possible.filter((acr) => satisfying[acr].some((factor) => factors[factor]));
  if (byFactor.length === possible.length) return byFactor;
  const hasPasskeys = await connections.hasPasskeys();
  return possible.filter((acr) => byFactor.includes(acr) || (hasPasskeys && (passkeyCounts || acr === phishingResistantAcr)));
}
