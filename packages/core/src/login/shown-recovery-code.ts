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

/** A new recovery code. */
interface NewRecoveryCode {
  readonly code: string;
  /** Whether the user entered the former code, which can no longer be used. */
  readonly isReplacement: boolean;
}

/** Encrypts a new recovery code of a user for the progress of the interaction. */
export async function sealRecoveryCode(
  interaction: Interaction,
  userId: string,
  { code, isReplacement }: NewRecoveryCode,
): Promise<NonNullable<LoginProgress["recovery_code"]>> {
  const sealed = await interaction.tenant.secrets.sealer.seal(placeIn(interaction), code);
  return { user_id: userId, sealed, ...(isReplacement && { is_replacement: true }) };
}

/** Decrypts the recovery code in the progress. Undefined if the user has none there, or if no key decrypts it. */
export async function openRecoveryCode(interaction: Interaction, userId: string): Promise<NewRecoveryCode | undefined> {
  const { recovery_code: stored } = interaction.progress;
  if (stored?.user_id !== userId) return undefined;
  const code = await interaction.tenant.secrets.sealer.open(placeIn(interaction), stored.sealed).catch(() => undefined);
  return code === undefined ? undefined : { code, isReplacement: stored.is_replacement === true };
}
