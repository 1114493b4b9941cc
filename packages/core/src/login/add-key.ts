import { isPosternError } from "../errors.ts";
import { enrollFactor, type Factor } from "../identity/factors/factors.ts";
import type { CredentialValues, WebauthnType } from "../identity/webauthn/credential.ts";
import { verifyRegistration, type Registration } from "../identity/webauthn/registration.ts";
import { auditClient, auditUser } from "../logs/audit.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import type { Row } from "../store/schema.ts";
import type { RequestTenant } from "../tenants/tenant.ts";
import { parseKeyResponse } from "./steps/webauthn/key-response.ts";

/** The submitted response of a new passkey or security key. */
interface NewKey {
  /** The primary account. */
  readonly user: Row<"users">;
  readonly registration: Registration;
  /** The response as JSON. */
  readonly response: string;
  /** Called after the response was verified, before the key is stored. Default: does nothing. */
  readonly beforeStoring?: () => Promise<void>;
}

/**
 * Enrolls a new passkey or security key whose response was submitted. Writes an audit event if the response is rejected.
 * @returns undefined if the response is rejected, if the key is enrolled already, or if the user has too many factors.
 */
export async function addKey(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  { user, registration, response, beforeStoring }: NewKey,
): Promise<Factor | undefined> {
  const { type } = registration;
  const verified = await verifyRegistration(tenant, registration, parseKeyResponse(response));
  if (verified.outcome === "verified") await beforeStoring?.();
  const added = verified.outcome === "verified" ? await enroll(tenant, user, type, verified.values) : undefined;
  if (added !== undefined) return added;
  const fault = verified.outcome === "rejected" ? verified : { reason: "conflict", detail: undefined };
  await tenant.audit({
    type: "gd_webauthn_enrollment_failed",
    description: "The response of a new passkey or security key was rejected.",
    details: { factor: type, reason: fault.reason, ...(fault.detail !== undefined && { detail: fault.detail }) },
    ...auditClient(client),
    ...auditUser(user),
  });
  return undefined;
}

/**
 * Returns how a new key must verify the user. A passkey alone signs the user in. A security key is used after another
 * factor, so that the browser asks for its touch alone.
 */
export function verificationOf(type: WebauthnType): Pick<Registration, "userVerification"> {
  return type === "passkey" ? { userVerification: "required" } : {};
}

/** Stores the credential as a confirmed factor. @returns undefined if it is enrolled already, or the user has too many. */
async function enroll(
  tenant: RequestTenant,
  user: Row<"users">,
  type: WebauthnType,
  values: CredentialValues,
): Promise<Factor | undefined> {
  try {
    return await enrollFactor(tenant, user, { type, ...values, confirmed: true });
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}
