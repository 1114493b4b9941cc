import type { Interaction } from "./interaction.ts";
import type { LoginProgress } from "./progress.ts";

/**
 * A new recovery code is shown to the user until they confirm that they stored it. Until then the login session contains
 * it, encrypted for this login session.
 */
function placeIn({ tenant, login }: Interaction) {
  if (login === undefined) throw new Error("a recovery code is shown in a login session");
  return { tenantId: tenant.id, collection: "login_sessions", id: login.id, field: "recovery_code" };
}

/** Encrypts a new recovery code of a user for the progress of the interaction. */
export async function sealRecoveryCode(
  interaction: Interaction,
  userId: string,
  code: string,
): Promise<NonNullable<LoginProgress["recovery_code"]>> {
  return { user_id: userId, sealed: await interaction.tenant.secrets.sealer.seal(placeIn(interaction), code) };
}

/** Decrypts the recovery code in the progress. Undefined if the user has none there, or if no key decrypts it. */
export async function openRecoveryCode(interaction: Interaction, userId: string): Promise<string | undefined> {
  const { recovery_code: stored } = interaction.progress;
  if (stored?.user_id !== userId) return undefined;
  return interaction.tenant.secrets.sealer.open(placeIn(interaction), stored.sealed).catch(() => undefined);
}
