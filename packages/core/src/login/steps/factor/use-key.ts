import type { ChosenFactor } from "../../../identity/factors/choose-factor.ts";
import { verifyKey } from "../../../identity/factors/verify-key.ts";
import { authenticationOptions, type Authentication } from "../../../identity/webauthn/authentication.ts";
import type { RequestOptions } from "../../../model/factors/webauthn.ts";
import { keyAuthentication } from "../../key-authentication.ts";
import type { Interaction } from "../../interaction.ts";
import { passFactor } from "../../pass-factor.ts";
import type { ActionResult } from "../../step.ts";
import { parseKeyResponse } from "../webauthn/key-response.ts";

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
  const verdict = await verifyKey(tenant, {
    user: missing.user,
    client,
    type,
    authentication,
    response: parseKeyResponse(response),
  });
  if (verdict === "throttled") return { problem: "too-many-attempts" };
  return verdict === "right" ? passFactor(interaction, missing, { type, trustsBrowser }) : { problem: "key-rejected" };
}

/** Returns the authentication that the chosen factor requires. Undefined also without a login session (`prompt=none`). */
async function authenticationOf(
  { tenant, login }: Interaction,
  { type, user, candidates }: ChosenFactor,
): Promise<Authentication | undefined> {
  return login && keyAuthentication(tenant, { type, user, factors: candidates, boundTo: login.id });
}
