import { auditClient, auditUser } from "../logs/audit.ts";
import { reserveFactorAttempt } from "../identity/factors/factor-attempts.ts";
import { verifyAuthentication, type Authentication } from "../identity/webauthn/authentication.ts";
import { webauthnTypes } from "../identity/webauthn/credential.ts";
import { sendFactorLockedMail } from "../messages/factor-mails.ts";
import { toApiFactorType, type FactorType } from "../model/factors/factor-types.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { parseKeyResponse } from "./steps/webauthn/key-response.ts";

/** A submitted response of an enrolled passkey or security key. */
interface KeyGuess {
  /** The primary account. */
  readonly user: Row<"users">;
  /** The type of the credentials that are allowed. */
  readonly type: FactorType;
  readonly authentication: Authentication;
  /** The response as JSON. */
  readonly response: string;
}

/**
 * Verifies the response of an enrolled passkey or security key. Writes an audit event for a rejected response, and
 * notifies the user of the last allowed attempt.
 * @returns the problem to show; undefined if the response is valid.
 */
export async function checkFactorKey(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  { user, type, authentication, response }: KeyGuess,
): Promise<"too-many-attempts" | "key-rejected" | undefined> {
  const details = { factor: toApiFactorType(type) };
  const about = { details, ...auditClient(client), ...auditUser(user) };
  const attempt = await reserveFactorAttempt(tenant, user.user_id, type);
  if (attempt === "throttled") {
    await tenant.audit({ type: "gd_auth_failed", description: "Too many failed attempts with a second factor.", ...about });
    return "too-many-attempts";
  }
  const types = webauthnTypes.filter((one) => one === type);
  const verified = await verifyAuthentication(tenant, authentication, parseKeyResponse(response), types);
  if (verified.outcome === "verified") {
    await attempt.succeed();
    return undefined;
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
  return "key-rejected";
}
