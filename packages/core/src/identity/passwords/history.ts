import { UnsupportedHashError, type PasswordHasher } from "../../adapters/hasher.ts";
import type { PasswordFault } from "./policy.ts";

type Verifier = Pick<PasswordHasher, "verify">;

/**
 * Returns a fault if a password matches one of the hashes; undefined if it matches none. The caller passes the current
 * hash and the former hashes in the connection's password history. The hashes are verified one after the other, so that
 * one password change does not fill the hasher's queue. Hashes that can no longer be verified are ignored.
 */
export async function checkHistory(
  password: string,
  hashes: readonly string[],
  hasher: Verifier,
  tenantId: string,
): Promise<PasswordFault | undefined> {
  for (const hash of hashes) {
    if (!(await matches(password, hash, hasher, tenantId))) continue;
    return {
      name: "PasswordHistoryError",
      message: "Password has previously been used",
      code: "invalid_password",
      description: "Password has previously been used.",
    };
  }
  return undefined;
}

async function matches(password: string, hash: string, hasher: Verifier, tenantId: string): Promise<boolean> {
  try {
    return (await hasher.verify(password, hash, tenantId)) !== "no-match";
  } catch (error) {
    if (error instanceof UnsupportedHashError) return false;
    throw error;
  }
}
