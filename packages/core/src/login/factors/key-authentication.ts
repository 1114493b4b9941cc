import { authenticationOptions, type Authentication } from "../../identity/webauthn/authentication.ts";
import { credentialsAt, webauthnTypes } from "../../identity/webauthn/credential.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { FactorType } from "../../model/factors/factor-types.ts";
import type { RequestOptions } from "../../model/factors/webauthn.ts";
import type { FactorContext } from "./context.ts";

/**
 * Returns the authentication that a factor requires. Undefined for a factor without a WebAuthn credential, and if none
 * of the user's credentials works on this host.
 */
export async function keyAuthentication(
  { tenant, user, factors, boundTo }: FactorContext,
  type: FactorType,
): Promise<Authentication | undefined> {
  if (!webauthnTypes.some((one) => one === type)) return undefined;
  const relyingParty = await tenant.relyingParty();
  const candidates = factors.filter((factor) => factor.type === type);
  if (relyingParty === undefined || credentialsAt(candidates, relyingParty.rpId).length === 0) return undefined;
  const userVerification = type === "webauthn-roaming" ? multifactorSettings(tenant.record).webauthn.roaming.userVerification : "preferred";
  return { relyingParty, boundTo, userId: user.user_id, userVerification };
}

/** Returns the field of a screen with which the browser requests a response. Empty if {@link keyAuthentication} is undefined. */
export async function keyRequest(context: FactorContext, type: FactorType): Promise<{ readonly publicKey?: RequestOptions }> {
  const authentication = await keyAuthentication(context, type);
  if (authentication === undefined) return {};
  const candidates = context.factors.filter((factor) => factor.type === type);
  return { publicKey: await authenticationOptions(context.tenant, authentication, candidates) };
}
