import { auditClient, auditUser } from "../../../logs/audit.ts";
import { isPosternError } from "../../../errors.ts";
import { enrollFactor } from "../../../identity/factors/factors.ts";
import type { CredentialValues } from "../../../identity/webauthn/credential.ts";
import { registrationOptions, verifyRegistration, type Registration } from "../../../identity/webauthn/registration.ts";
import type { CreationOptions } from "../../../model/factors/webauthn.ts";
import type { Row } from "../../../store/schema.ts";
import type { Interaction } from "../../interaction.ts";
import type { ActionResult } from "../../step.ts";
import { parseKeyResponse } from "../webauthn/key-response.ts";
import { completeEnrollment, firstRecoveryCode } from "./confirm.ts";
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
  const { user } = missing;
  const verified = await verifyRegistration(tenant, registration, parseKeyResponse(response));
  if (verified.outcome === "verified") {
    const recoveryCode = await firstRecoveryCode(interaction, missing);
    if (await enroll(interaction, user, verified.values))
      return completeEnrollment(interaction, missing, { type, form: undefined, recoveryCode });
  }
  const fault = verified.outcome === "rejected" ? verified : { reason: "conflict", detail: undefined };
  await tenant.audit({
    type: "gd_webauthn_enrollment_failed",
    description: "The response of a new security key was rejected.",
    details: { factor: type, reason: fault.reason, ...(fault.detail !== undefined && { detail: fault.detail }) },
    ...auditClient(client),
    ...auditUser(user),
  });
  return { problem: "key-rejected" };
}

/** Stores the credential as a confirmed factor. @returns `false` if it is enrolled already, or the user has too many. */
async function enroll({ tenant }: Interaction, user: Row<"users">, values: CredentialValues): Promise<boolean> {
  try {
    await enrollFactor(tenant, user, { type, ...values, confirmed: true });
    return true;
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return false;
    throw error;
  }
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
