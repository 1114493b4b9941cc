import { createHash } from "node:crypto";
import type { PasswordHasher } from "@postern/core";

/**
 * A password hasher without any work factor. Passwords in tests protect nothing, and a real hash would take as long as
 * most tests.
 */
export const fastHasher: PasswordHasher = {
  hash: async (password) => hashOf(password),
  verify: async (password, stored) => (stored === hashOf(password) ? "match" : "no-match"),
  verifyDummy: async () => {},
  accepts: (stored) => stored.startsWith(prefix),
};

const prefix = "$test$";

function hashOf(password: string): string {
  return prefix + createHash("sha256").update(password).digest("hex");
}
