import { addKey } from "../../../identity/factors/add-key.ts";
import { registrationOptions, type Registration } from "../../../identity/webauthn/registration.ts";
import { webauthnTypes, type WebauthnType } from "../../../identity/webauthn/credential.ts";
import type { CreationOptions } from "../../../model/factors/webauthn.ts";
import { verificationOf } from "../../key-verification.ts";
import type { Interaction } from "../../interaction.ts";
import type { ActionResult } from "../../step.ts";
import { parseKeyResponse } from "../webauthn/key-response.ts";
import { completeEnrollment, firstRecoveryCode, otherFactorAdded } from "./confirm.ts";
import { accountLabel, addableTypes } from "./new-factor.ts";

/**
 * Returns the type of key that the user chose to add. Undefined if the user chose another factor, or may not add the key
 * now.
 */
export function chosenKeyType(interaction: Interaction): WebauthnType | undefined {
  const { factor_choice: chosen } = interaction.progress;
  const addable = addableTypes(interaction);
  return webauthnTypes.find((type) => type === chosen && addable.includes(type));
}

/**
 * Returns the fields of a screen with which the browser creates a passkey, or a credential on a security key. Empty if the
 * host of the request does not support WebAuthn.
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
 * Enrolls the passkey or security key whose response was submitted. It also counts as passed.
 * @param response the response as JSON.
 */
export async function confirmNewKey(interaction: Interaction, response: string): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  const registration = await registrationOf(interaction);
  if (missing === undefined || registration === undefined) return { problem: "key-rejected" };
  const { user, factors } = missing;
  const recovery = await firstRecoveryCode(interaction, missing);
  const outcome = await addKey(tenant, {
    user,
    client,
    registration,
    response: parseKeyResponse(response),
    factors,
    codeHash: recovery?.hash,
  });
  if (outcome === "rejected") return { problem: "key-rejected" };
  if (outcome === "already-enrolled") return otherFactorAdded;
  return completeEnrollment(interaction, missing, { type: registration.type, form: undefined, recoveryCode: recovery?.code });
}

/** Returns the registration that the user may do now. Undefined if they may not add the chosen key on this host. */
async function registrationOf(interaction: Interaction): Promise<Registration | undefined> {
  const { tenant, login, missingFactor: missing } = interaction;
  const type = chosenKeyType(interaction);
  if (login === undefined || missing === undefined || type === undefined) return undefined;
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined) return undefined;
  const { user, factors } = missing;
  return { relyingParty, boundTo: login.id, userId: user.user_id, factors, type, ...verificationOf(tenant, type) };
}
