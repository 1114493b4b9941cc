import type { TenantContext } from "../../context.ts";
import { enrollmentLifetime, type Factor } from "../../identity/factors/factors.ts";

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
