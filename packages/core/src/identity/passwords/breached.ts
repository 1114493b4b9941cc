import type { BreachedPasswords } from "../../adapters/breached-passwords.ts";
import type { Wait } from "../../adapters/wait.ts";
import { withDeadline } from "../../adapters/deadline.ts";
import { utf8 } from "./bytes.ts";
import type { PasswordFault } from "./policy.ts";

/**
 * The number of digits of a hash that are sent to the list of breached passwords (k-anonymity). About a thousand
 * breached passwords share the same digits.
 */
const prefixLength = 5;

/** Timeout in milliseconds for a query of the list. */
const deadline = 1000;

/**
 * Returns a fault if a password is known from a data breach; undefined if it is not. The password is normalized as for
 * a login.
 * @throws any error that the host's list throws, or a timeout error after one second.
 */
export async function checkBreached(password: string, list: BreachedPasswords, wait: Wait): Promise<PasswordFault | undefined> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", utf8(password.normalize("NFKC"))));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("");
  const known = await withDeadline(
    async (signal) => contains(await list.range(hash.slice(0, prefixLength), { signal }), hash.slice(prefixLength)),
    deadline,
    "the list of breached passwords",
    wait,
  );
  if (!known) return undefined;
  return {
    name: "PasswordLeakedError",
    message: "Password has been leaked",
    code: "password_leaked",
    description: "Password was found in a data breach. Choose another one.",
  };
}

/**
 * Returns whether a line contains the rest of the hash. Each line consists of the rest of a hash and, optionally, the
 * number of breaches: `0018A45C4D1DEF81644B54AB7F969B88D65:21`.
 */
function contains(lines: Iterable<string>, rest: string): boolean {
  for (const line of lines) {
    const [suffix = "", count = "1"] = line.trim().split(":");
    if (suffix.toUpperCase() === rest && Number(count) !== 0) return true;
  }
  return false;
}
