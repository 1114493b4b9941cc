/**
 * The Authentication Context Class References that Postern supports: values of the `acr` claim (OpenID Connect Core
 * section 2) that a client can request with `acr_values` or with an `acr` claim.
 */

/** The user authenticated with two factors. Auth0's value. */
export const multifactorAcr = "http://schemas.openid.net/pape/policies/2007/06/multi-factor";

/** The user authenticated with a phishing-resistant factor (OpenID Connect EAP ACR Values 1.0). */
export const phishingResistantAcr = "phr";

/** All supported `acr` values. */
export const supportedAcrs = [multifactorAcr, phishingResistantAcr] as const;

/** A supported `acr` value. */
export type Acr = (typeof supportedAcrs)[number];

/** Returns the supported values of a list, in the same order. */
export function knownAcrs(values: readonly string[]): readonly Acr[] {
  return values.flatMap((value) => supportedAcrs.filter((acr) => acr === value));
}
