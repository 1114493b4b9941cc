import { UnsupportedHashError, type PasswordHasher } from "../../adapters/hasher.ts";
import type { PasswordFault } from "./policy.ts";

type Verifier = Pick<PasswordHasher, "verify">;

/**
 * Rejects a password that matches one of these hashes: the current one, and as many former ones as the connection's
 * history has. The hashes are verified one after the other, so that one password change does not fill the queue.
 * Ignores hashes that cannot be verified any more.
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
