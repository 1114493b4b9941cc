import type { KeyRing } from "../../adapters/key-ring.ts";
import { weaknessOf } from "./secret-strength.ts";

/** Reads the host's secret as a ring, and refuses what cannot be one. @throws {TypeError} that names the key. */
export function toKeyRing(secret: string | KeyRing): KeyRing {
  const ring: KeyRing = typeof secret === "string" ? [{ id: "1", secret }] : secret;
  if (ring.length === 0) throw new TypeError("the key ring holds no key");
  const ids = new Set<string>();
  for (const { id, secret: text } of ring) {
    // It stands in front of what it sealed, up to a dot.
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new TypeError(`'${id}' cannot be the id of a key: 1 to 32 letters, digits, - and _`);
    if (ids.has(id)) throw new TypeError(`the key ring has two keys with the id '${id}'`);
    ids.add(id);
    const weakness = weaknessOf(text, 32);
    if (weakness !== undefined) {
      throw new TypeError(`the secret '${id}' ${weakness}: take random text, for example from \`openssl rand -base64 32\``);
    }
  }
  return ring;
}
