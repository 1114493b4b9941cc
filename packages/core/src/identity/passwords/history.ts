import { UnsupportedHashError, type PasswordHasher } from "../../adapters/hasher.ts";
import type { PasswordFault } from "./policy.ts";

type Verifier = Pick<PasswordHasher, "verify">;

/**
 * Refuses a password that one of these hashes belongs to: the current one and former ones, as many as the connection's history has.
 * They are tried one after the other, so that one person's change does not take everybody's turn.
 * A hash that cannot be verified any more forbids nothing.
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
