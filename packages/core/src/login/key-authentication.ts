import type { Factor } from "../identity/factors/factors.ts";
import type { Authentication } from "../identity/webauthn/authentication.ts";
import { credentialsAt, webauthnTypes } from "../identity/webauthn/credential.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import type { FactorType } from "../model/factors/factor-types.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";

/** A passkey or security key that a user must use as a second factor. */
interface RequestedKey {
  readonly type: FactorType;
  /** The primary account. */
  readonly user: Row<"users">;
  /** The user's confirmed factors. */
  readonly factors: readonly Factor[];
  /** The id of the login session or of the session that requests the key. */
  readonly boundTo: string;
}

/**
 * Returns the authentication that a factor requires. Undefined for a factor without a WebAuthn credential, and if none
 * of the user's credentials works on this host.
 */
export async function keyAuthentication(
  tenant: RequestTenant,
  { type, user, factors, boundTo }: RequestedKey,
): Promise<Authentication | undefined> {
  if (!webauthnTypes.some((one) => one === type)) return undefined;
  const relyingParty = await tenant.relyingParty();
  const candidates = factors.filter((factor) => factor.type === type);
  if (relyingParty === undefined || credentialsAt(candidates, relyingParty.rpId).length === 0) return undefined;
  const userVerification = type === "webauthn-roaming" ? multifactorSettings(tenant.record).webauthn.roaming.userVerification : "preferred";
  return { relyingParty, boundTo, userId: user.user_id, userVerification };
}
