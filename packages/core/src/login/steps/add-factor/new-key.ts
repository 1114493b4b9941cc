import { registrationOptions, type Registration } from "../../../identity/webauthn/registration.ts";
import type { CreationOptions } from "../../../model/factors/webauthn.ts";
import { addKey } from "../../add-key.ts";
import type { Interaction } from "../../interaction.ts";
import type { ActionResult } from "../../step.ts";
import { completeEnrollment, firstRecoveryCode, otherFactorAdded } from "./confirm.ts";
import { accountLabel, addableTypes } from "./new-factor.ts";

const type = "webauthn-roaming";

/**
 * Returns the fields of a screen with which the browser creates a credential on a security key. Empty if the host of the
 * request does not support WebAuthn.
 */
export async function keyCreation(interaction: Interaction): Promise<{ readonly publicKey?: CreationOptions }> {
  const { tenant, missingFactor: missing } = interaction;
  const registration = await registrationOf(interaction);
  if (missing === undefined || registration === undefined) return {};
  const { user } = missing;
  const name = accountLabel(user);
  return { publicKey: await registrationOptions(tenant, registration, { name, displayName: user.name || name }) };
}

/**
 * Enrolls the security key whose response was submitted. The key also counts as passed.
 * @param response the response as JSON.
 */
export async function confirmNewKey(interaction: Interaction, response: string): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  const registration = await registrationOf(interaction);
  if (missing === undefined || registration === undefined) return { problem: "key-rejected" };
  const { user, factors } = missing;
  const recovery = await firstRecoveryCode(interaction, missing);
  const outcome = await addKey(tenant, client, { user, registration, response, factors, codeHash: recovery?.hash });
  if (outcome === "rejected") return { problem: "key-rejected" };
  if (outcome === "already-enrolled") return otherFactorAdded;
  return completeEnrollment(interaction, missing, { type, form: undefined, recoveryCode: recovery?.code });
}

/** Returns the registration that the user may do now. Undefined if they may not add a security key on this host. */
async function registrationOf(interaction: Interaction): Promise<Registration | undefined> {
  const { tenant, login, missingFactor: missing } = interaction;
  if (login === undefined || missing === undefined || !addableTypes(interaction).includes(type)) return undefined;
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined) return undefined;
  const { user, factors } = missing;
  return { relyingParty, boundTo: login.id, userId: user.user_id, factors, type, userVerification: "preferred" };
}
