import { authenticationOptions, type Authentication } from "../../../identity/webauthn/authentication.ts";
import { credentialsAt, webauthnTypes } from "../../../identity/webauthn/credential.ts";
import type { RequestOptions } from "../../../model/factors/webauthn.ts";
import { checkFactorKey } from "../../check-factor-key.ts";
import type { Interaction } from "../../interaction.ts";
import { passFactor } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
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
  const { type } = chosen;
  const problem = await checkFactorKey(tenant, client, { user: missing.user, type, authentication, response });
  return problem === undefined ? passFactor(interaction, missing, { type, trustsBrowser }) : { problem };
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
