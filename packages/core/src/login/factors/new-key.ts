import { registrationOptions, type Registration } from "../../identity/webauthn/registration.ts";
import type { WebauthnType } from "../../identity/webauthn/credential.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";
import type { CreationOptions } from "../../model/factors/webauthn.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { accountLabel } from "./account-label.ts";
import type { FactorContext } from "./context.ts";

/** Returns the registration of a new passkey or security key. Undefined if the host of the request does not support WebAuthn. */
export async function keyRegistration(
  { tenant, user, factors, boundTo }: FactorContext,
  type: WebauthnType,
): Promise<Registration | undefined> {
  const relyingParty = await tenant.relyingParty();
  return relyingParty && { relyingParty, boundTo, userId: user.user_id, factors, type, ...verificationOf(tenant, type) };
}

/** Returns the field of a screen with which the browser creates a credential. Empty as {@link keyRegistration}. */
export async function keyCreation(context: FactorContext, type: WebauthnType): Promise<{ readonly publicKey?: CreationOptions }> {
  const { tenant, user } = context;
  const registration = await keyRegistration(context, type);
  const name = accountLabel(user);
  return registration === undefined
    ? {}
    : { publicKey: await registrationOptions(tenant, registration, { name, displayName: user.name || name }) };
}

/**
 * Returns how a new key must verify the user. A passkey alone signs the user in. A security key is used after another
 * factor, so by default the browser asks for its touch alone.
 */
function verificationOf({ record }: RequestTenant, type: WebauthnType): Pick<Registration, "userVerification"> {
  if (type === "passkey") return { userVerification: "required" };
  return type === "webauthn-roaming" ? { userVerification: multifactorSettings(record).webauthn.roaming.userVerification } : {};
}
