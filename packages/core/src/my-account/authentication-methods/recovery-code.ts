import type { TenantContext } from "../../context.ts";
import type { RequestTenant } from "../../tenants/tenant.ts";
import { enrollmentLifetime, type Factor } from "../../identity/factors/factors.ts";
import { multifactorSettings } from "../../model/factors/multifactor.ts";

/** Whether a user can have a recovery code: the tenant enables it, and the user has a factor that it replaces. */
export function offersRecoveryCode({ record }: Pick<RequestTenant, "record">, factors: readonly Factor[]): boolean {
  const others = factors.filter(({ type }) => type !== "recovery-code" && type !== "email");
  return others.length > 0 && multifactorSettings(record).factors["recovery-code"];
}

/**
 * Returns the text from which a new recovery code derives. It contains its end and the code that it replaces, so that a
 * confirmation that is sent again later never makes an old code valid.
 */
export function newRecoveryNonce(tenant: Pick<TenantContext, "random" | "now">, factors: readonly Factor[]): string {
  return ["rc", tenant.now() + enrollmentLifetime, tenant.random.token(18), storedHash(factors)].join(".");
}

/**
 * Whether the recovery code of a text from {@link newRecoveryNonce} may be confirmed now.
 * @param hash the hash of the new code. A confirmation that is sent twice succeeds twice.
 */
export function isConfirmable(tenant: Pick<TenantContext, "now">, factors: readonly Factor[], nonce: string, hash: string): boolean {
  const [kind, expiresAt, , replaced] = nonce.split(".");
  const current = storedHash(factors);
  return kind === "rc" && Number(expiresAt) > tenant.now() && (current === replaced || current === hash);
}

/** Returns the hash of the user's recovery code. It has no dot. */
function storedHash(factors: readonly Factor[]): string {
  return factors.find(({ type }) => type === "recovery-code")?.code_hash ?? "none";
}
