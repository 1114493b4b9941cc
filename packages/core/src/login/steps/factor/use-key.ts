import { auditClient, auditUser } from "../../../logs/audit.ts";
import { reserveFactorAttempt } from "../../../identity/factors/factor-attempts.ts";
import { authenticationOptions, verifyAuthentication, type Authentication } from "../../../identity/webauthn/authentication.ts";
import { credentialsAt, webauthnTypes } from "../../../identity/webauthn/credential.ts";
import { sendFactorLockedMail } from "../../../messages/factor-mails.ts";
import { toApiFactorType } from "../../../model/factors/factor-types.ts";
import type { RequestOptions } from "../../../model/factors/webauthn.ts";
import type { Interaction } from "../../interaction.ts";
import { passFactor } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { parseKeyResponse } from "../webauthn/key-response.ts";
import type { ChosenFactor } from "./chosen-factor.ts";

/**
 * Returns the fields of a screen with which the browser requests a response of the chosen passkey or security key.
 * Empty for another factor, and if none of the user's credentials works on this host.
 */
export async function keyRequest(interaction: Interaction, chosen: ChosenFactor): Promise<{ readonly publicKey?: RequestOptions }> {
  const authentication = await authenticationOf(interaction, chosen);
  if (authentication === undefined) return {};
  return { publicKey: await authenticationOptions(interaction.tenant, authentication, chosen.candidates) };
}

/** A submitted response of a passkey or security key. */
interface SubmittedResponse {
  /** The response as JSON. */
  readonly response: string;
  readonly trustsBrowser: boolean;
}

/** Verifies the response of an enrolled passkey or security key, and continues the sign-in if it is valid. */
export async function useKey(
  interaction: Interaction,
  chosen: ChosenFactor,
  { response, trustsBrowser }: SubmittedResponse,
): Promise<ActionResult> {
  const { tenant, client, missingFactor: missing } = interaction;
  const authentication = await authenticationOf(interaction, chosen);
  if (missing === undefined || authentication === undefined) return { problem: "key-rejected" };
  const { user } = missing;
  const { type } = chosen;
  const details = { factor: toApiFactorType(type) };
  const about = { details, ...auditClient(client), ...auditUser(user) };
  const attempt = await reserveFactorAttempt(tenant, user.user_id, type);
  if (attempt === "throttled") {
    await tenant.audit({ type: "gd_auth_failed", description: "Too many failed attempts with a second factor.", ...about });
    return { problem: "too-many-attempts" };
  }
  const verified = await verifyAuthentication(tenant, authentication, parseKeyResponse(response), typesOf(chosen));
  if (verified.outcome === "verified") {
    await attempt.succeed();
    return passFactor(interaction, missing, { type, trustsBrowser });
  }
  const { reason, detail } = verified;
  await tenant.audit({
    type: "gd_webauthn_challenge_failed",
    description: "The response of a passkey or security key was rejected.",
    ...about,
    details: { ...details, reason, ...(detail !== undefined && { detail }) },
  });
  if (attempt.isLast) {
    sendFactorLockedMail(tenant, user, client);
    await tenant.audit({ type: "gd_otp_rate_limit_exceed", description: "A factor is locked: too many attempts failed.", ...about });
  }
  return { problem: "key-rejected" };
}

/**
 * Returns the authentication that the chosen factor requires. Undefined for a factor without a WebAuthn credential, if
 * none of the user's credentials works on this host, and for a request without a login session (`prompt=none`).
 */
async function authenticationOf({ tenant, login }: Interaction, chosen: ChosenFactor): Promise<Authentication | undefined> {
  if (login === undefined || typesOf(chosen).length === 0) return undefined;
  const relyingParty = await tenant.relyingParty();
  if (relyingParty === undefined || credentialsAt(chosen.candidates, relyingParty.rpId).length === 0) return undefined;
  return { relyingParty, boundTo: login.id, userId: chosen.user.user_id, userVerification: "preferred" };
}

/** Returns the types of credentials that are allowed: the chosen one. Empty for another factor. */
const typesOf = ({ type }: ChosenFactor) => webauthnTypes.filter((one) => one === type);
