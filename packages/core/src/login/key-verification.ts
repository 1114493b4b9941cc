import type { WebauthnType } from "../identity/webauthn/credential.ts";
import type { Registration } from "../identity/webauthn/registration.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/**
 * Returns how a new key must verify the user. A passkey alone signs the user in. A security key is used after another
 * factor, so by default the browser asks for its touch alone.
 */
export function verificationOf({ record }: RequestTenant, type: WebauthnType): Pick<Registration, "userVerification"> {
  if (type === "passkey") return { userVerification: "required" };
  return type === "webauthn-roaming" ? { userVerification: multifactorSettings(record).webauthn.roaming.userVerification } : {};
}
