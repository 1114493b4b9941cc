import { isFactorEnabled } from "../identity/factors/factor-uses.ts";
import { multifactorAcr, phishingResistantAcr, supportedAcrs, type Acr } from "../model/factors/acr.ts";
import { factorKind, factorsThat, type FactorType } from "../model/factors/factor-types.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** The factors with which a user can satisfy an `acr` value, without another second factor. */
const satisfying: { readonly [acr in Acr]: readonly FactorType[] } = {
  [multifactorAcr]: factorsThat("protectsAlone"),
  [phishingResistantAcr]: factorsThat("protectsAlone").filter((type) => factorKind(type).uses.resistsPhishing),
};

/**
 * Returns the `acr` values that the tenant lists in discovery. `acr_values` can require exactly these, and other values
 * in it are ignored. The tenant lists the values that users can satisfy with the factors and passkeys that it enables,
 * limited to its setting `acr_values_supported`. Reads only cached settings.
 */
export async function listedAcrs({ record, settings, connections }: RequestTenant): Promise<readonly Acr[]> {
  const multifactor = multifactorSettings(record);
  const { acr_values_supported: limit } = settings;
  const possible = supportedAcrs.filter((acr) => limit === undefined || limit.includes(acr));
  // Passkeys are enabled by a connection.
  const byFactor = possible.filter((acr) => satisfying[acr].some((type) => type !== "passkey" && isFactorEnabled(multifactor, type)));
  if (byFactor.length === possible.length) return byFactor;
  const hasPasskeys = await connections.hasPasskeys();
  return possible.filter(
    (acr) => byFactor.includes(acr) || (hasPasskeys && (multifactor.passkey_counts_as_factor || acr === phishingResistantAcr)),
  );
}
