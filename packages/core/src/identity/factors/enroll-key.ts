import type { TenantContext } from "../../context.ts";
import { isPosternError } from "../../errors.ts";
import type { CredentialValues, WebauthnType } from "../webauthn/credential.ts";
import { verifyRegistration, type Registration } from "../webauthn/registration.ts";
import { auditFactor, type FactorOwner } from "./factor-events.ts";
import { storeFactor, type Factor } from "./factors.ts";

/** The submitted response of a new passkey or security key. */
interface NewKey extends FactorOwner {
  readonly registration: Registration;
  /** The parsed JSON. Undefined, which is rejected, if the text was not JSON. */
  readonly response: unknown;
}

/**
 * Verifies the response of a new passkey or security key, and stores the key as an unconfirmed factor. Writes the audit
 * event of a response that is rejected.
 * @returns undefined if the response is invalid, the key is enrolled already, or the user has too many factors.
 * @throws {PosternError} `access_denied` if the user's factors are frozen; `not_found` if the user was deleted.
 */
export async function enrollKey(tenant: TenantContext, key: NewKey): Promise<Factor | undefined> {
  const { user, registration, response } = key;
  const { type } = registration;
  const verified = await verifyRegistration(tenant, registration, response);
  const stored = verified.outcome === "verified" ? await storeUnlessInConflict(tenant, user.user_id, type, verified.values) : undefined;
  if (stored !== undefined) return stored;
  const { reason, detail } = verified.outcome === "rejected" ? verified : { reason: "conflict", detail: undefined };
  await auditFactor(tenant, key, type, "rejected", { reason, ...(detail !== undefined && { detail }) });
  return undefined;
}

/** Stores the credential as an unconfirmed factor. @returns undefined if it is enrolled already, or the user has too many. */
async function storeUnlessInConflict(
  tenant: TenantContext,
  user_id: string,
  type: WebauthnType,
  values: CredentialValues,
): Promise<Factor | undefined> {
  try {
    return await storeFactor(tenant, { user_id }, { type, ...values });
  } catch (error) {
    if (isPosternError(error) && error.code === "conflict") return undefined;
    throw error;
  }
}
