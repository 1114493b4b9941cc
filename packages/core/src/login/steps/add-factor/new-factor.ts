import { webauthnTypes, type WebauthnType } from "../../../identity/webauthn/credential.ts";
import { findFactor, isPendingFactor, type Factor } from "../../../identity/factors/factors.ts";
import { areFactorsFrozen } from "../../../identity/factors/frozen-factors.ts";
import type { FactorType } from "../../../model/factors/factor-types.ts";
import type { Interaction } from "../../interaction.ts";
import { passedFactors } from "../../missing-factor.ts";

/**
 * Returns the factors that the user may add now. Empty if the interaction does not require a new factor, and while the
 * user's factors are frozen.
 */
export function addableTypes(interaction: Interaction): readonly FactorType[] {
  const { missingFactor: missing } = interaction;
  return missing?.decision.kind === "enroll" && !isFrozen(interaction) ? missing.decision.types : [];
}

/** Returns the type of key that the user chose to add. Undefined if they chose another factor, or may not add the key now. */
export function chosenKeyType(interaction: Interaction): WebauthnType | undefined {
  const { factor_choice: chosen } = interaction.progress;
  const addable = addableTypes(interaction);
  return webauthnTypes.find((type) => type === chosen?.type && addable.includes(type));
}

/** Whether the interaction requires a new factor, but the user's factors are frozen. The user cannot sign in then. */
export function isFrozen({ tenant, missingFactor: missing }: Interaction): boolean {
  return missing?.decision.kind === "enroll" && areFactorsFrozen(tenant, missing.user);
}

/**
 * Whether the user must pass a factor instead of adding one, and has passed none: the factor was added since the page was
 * shown.
 */
export function isOvertaken(interaction: Interaction): boolean {
  const { missingFactor: missing } = interaction;
  return missing?.decision.kind === "challenge" && passedFactors(interaction, missing.user).length === 0;
}

/** Returns the unconfirmed factor that the user is adding. Undefined if there is none, or if it has expired. */
export async function newFactor({ tenant, progress, missingFactor: missing }: Interaction): Promise<Factor | undefined> {
  const { new_factor: id } = progress;
  if (id === undefined || missing === undefined || areFactorsFrozen(tenant, missing.user)) return undefined;
  const factor = await findFactor(tenant.data, missing.user.user_id, id);
  return factor !== undefined && isPendingFactor(tenant, factor) ? factor : undefined;
}
