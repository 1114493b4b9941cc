import { reserveFactorAttempt } from "../identity/factors/factor-attempts.ts";
import type { Factor } from "../identity/factors/factors.ts";
import { verifyAuthentication, type Authentication } from "../identity/webauthn/authentication.ts";
import { credentialsAt, webauthnTypes, type WebauthnType } from "../identity/webauthn/credential.ts";
import { auditClient, auditUser } from "../logs/audit.ts";
import { sendFactorLockedMail } from "../messages/factor-mails.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
import { toApiFactorType, type FactorType } from "../model/factors/factor-types.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { parseKeyResponse } from "./steps/webauthn/key-response.ts";

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
  if (typesOf(type).length === 0) return undefined;
  const relyingParty = await tenant.relyingParty();
  const candidates = factors.filter((factor) => factor.type === type);
  if (relyingParty === undefined || credentialsAt(candidates, relyingParty.rpId).length === 0) return undefined;
  const userVerification = type === "webauthn-roaming" ? multifactorSettings(tenant.record).webauthn.roaming.userVerification : "preferred";
  return { relyingParty, boundTo, userId: user.user_id, userVerification };
}

/** A submitted response of a passkey or security key. */
interface SubmittedKey extends Pick<RequestedKey, "type" | "user"> {
  readonly authentication: Authentication;
  /** The response as JSON. */
  readonly response: string;
}

/**
 * Verifies the response of an enrolled passkey or security key. Counts the attempt first. Writes an audit event for a
 * response that is rejected, and notifies the user of the last allowed attempt.
 */
export async function checkKey(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  { type, user, authentication, response }: SubmittedKey,
): Promise<"right" | "wrong" | "throttled"> {
  const details = { factor: toApiFactorType(type) };
  const about = { details, ...auditClient(client), ...auditUser(user) };
  const attempt = await reserveFactorAttempt(tenant, user.user_id, type);
  if (attempt === "throttled") {
    await tenant.audit({ type: "gd_auth_failed", description: "Too many failed attempts with a second factor.", ...about });
    return "throttled";
  }
  const verified = await verifyAuthentication(tenant, authentication, parseKeyResponse(response), typesOf(type));
  if (verified.outcome === "verified") {
    await attempt.succeed();
    return "right";
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
  return "wrong";
}

/** Returns the types of credentials that are allowed: the given one. Empty for another factor. */
function typesOf(type: FactorType): readonly WebauthnType[] {
  return webauthnTypes.filter((one) => one === type);
}
