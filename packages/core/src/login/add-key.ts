import { isPosternError } from "../errors.ts";
import { confirmOwnFactor } from "../identity/factors/confirm-own-factor.ts";
import { hasIndependentFactor } from "../identity/factors/factor-policy.ts";
import { discardFactor, storeFactor, type Factor } from "../identity/factors/factors.ts";
import type { CredentialValues, WebauthnType } from "../identity/webauthn/credential.ts";
import { verifyRegistration, type Registration } from "../identity/webauthn/registration.ts";
import { auditClient, auditUser } from "../logs/audit.ts";
import type { RegisteredClient } from "../model/clients/client.ts";
import { multifactorSettings } from "../model/factors/multifactor.ts";
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
  /** The hash of a recovery code that becomes valid with the key. Default: none. */
  readonly codeHash?: string | undefined;
  /** The user's confirmed factors when the permission to add one was given. */
  readonly factors: readonly Factor[];
}

/**
 * The outcome of a new passkey or security key. `rejected`: the response is invalid, the key is enrolled already, or the
 * user has too many factors. `already-enrolled`: the key would be the user's first factor, but another one was added since.
 */
type NewKeyOutcome = "added" | "rejected" | "already-enrolled";

/**
 * Enrolls a new passkey or security key whose response was submitted. Writes an audit event if the response is rejected.
 * @throws {PosternError} `access_denied` if the user's factors are frozen; `not_found` if the user was deleted.
 */
export async function addKey(
  tenant: RequestTenant,
  client: RegisteredClient | undefined,
  { user, registration, response, codeHash, factors }: NewKey,
): Promise<NewKeyOutcome> {
  const { type } = registration;
  const verified = await verifyRegistration(tenant, registration, parseKeyResponse(response));
  const added = verified.outcome === "verified" ? await enroll(tenant, user, type, verified.values) : undefined;
  if (added !== undefined) {
    const onlyIfFirst = !hasIndependentFactor(factors.map((factor) => factor.type));
    const outcome = await confirmOwnFactor(tenant, added, { usedAt: null, onlyIfFirst, codeHash });
    if (outcome === "unavailable") return discardFactor(tenant, added);
    return outcome === "confirmed" ? "added" : outcome;
  }
  const fault = verified.outcome === "rejected" ? verified : { reason: "conflict", detail: undefined };
  await tenant.audit({
    type: "gd_webauthn_enrollment_failed",
    description: "The response of a new passkey or security key was rejected.",
    details: { factor: type, reason: fault.reason, ...(fault.detail !== undefined && { detail: fault.detail }) },
    ...auditClient(client),
    ...auditUser(user),
  });
  return "rejected";
}

/**
 * Returns how a new key must verify the user. A passkey alone signs the user in. A security key is used after another
 * factor, so by default the browser asks for its touch alone.
 */
export function verificationOf({ record }: RequestTenant, type: WebauthnType): Pick<Registration, "userVerification"> {
  if (type === "passkey") return { userVerification: "required" };
  return type === "webauthn-roaming" ? { userVerification: multifactorSettings(record).webauthn.roaming.userVerification } : {};
}

/** Stores the credential as an unconfirmed factor. @returns undefined if it is enrolled already, or the user has too many. */
async function enroll(
  tenant: RequestTenant,
  user: Row<"users">,
  type: WebauthnType,
  values: CredentialValues,
): Promise<Factor | undefined> {
  try {
    return await storeFactor(tenant, user, { type, ...values });
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}
