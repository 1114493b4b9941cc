import { enrollableFactors } from "../identity/factors/factor-policy.ts";
import type { WebauthnType } from "../identity/webauthn/credential.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import type { AccountVisit } from "./visit.ts";

/** Returns the factors that the user can add, the strongest first. A user can have several of one type. */
export async function addableTypes(visit: AccountVisit): Promise<readonly FactorType[]> {
  const keys = await addableKeys(visit);
  return [...keys, ...enrollableFactors(visit.situation).filter((type) => !keys.some((key) => key === type))];
}

/** Returns the types of WebAuthn credentials that the user can add on this host. */
export async function addableKeys({ tenant, situation }: AccountVisit): Promise<readonly WebauthnType[]> {
  if ((await tenant.relyingParty()) === undefined) return [];
  return enrollableFactors(situation).filter((type) => type === "webauthn-roaming");
}
