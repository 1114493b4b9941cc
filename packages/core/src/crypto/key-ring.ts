import type { KeyRing, SealingKey } from "../adapters/key-ring.ts";
import { weaknessOf } from "./secret-strength.ts";

/**
 * Converts the host application's secret to a key ring and validates the ring. @throws {TypeError} that names the
 * invalid key.
 */
export function toKeyRing(secret: string | KeyRing): KeyRing {
  const ring: KeyRing = typeof secret === "string" ? [{ id: "1", secret }] : secret;
  if (ring.length === 0) throw new TypeError("the key ring contains no key");
  const ids = new Set<string>();
  for (const { id, secret: text } of ring) {
    // A `seal` starts with the id, followed by a dot.
    if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new TypeError(`'${id}' is not a valid key id: use 1 to 32 letters, digits, - and _`);
    if (ids.has(id)) throw new TypeError(`the key ring has two keys with the id '${id}'`);
    ids.add(id);
    const weakness = weaknessOf(text, 32);
    if (weakness !== undefined) {
      throw new TypeError(`the secret with the id '${id}' ${weakness}: use random text, for example from \`openssl rand -base64 32\``);
    }
  }
  return ring;
}

/**
 * Parses a key ring from text, such as an environment variable: one secret, which has the id `1`, or several as
 * `id:secret`, separated by commas. The first key encrypts; every key can decrypt. `postern secret rotate` writes this
 * format. A secret that contains a comma, or that starts like an id with a colon, must be passed as an object with its
 * id instead.
 * @throws {TypeError} if one of several secrets has no id. `createPostern` validates the ring.
 *
 * @example
 * createPostern({ issuer, data, crypto: { secret: parseKeyRing(process.env["POSTERN_SECRET"] ?? "") } });
 */
export function parseKeyRing(text: string): KeyRing {
  const [first = "", ...others] = text.split(",").map((part) => part.trim());
  const keyOf = (part: string): SealingKey => {
    const [, id, secret] = /^([A-Za-z0-9_-]{1,32}):(.+)$/.exec(part) ?? [];
    if (id !== undefined && secret !== undefined) return { id, secret };
    if (others.length > 0) throw new TypeError("several secrets must be written as id:secret, separated by commas");
    return { id: "1", secret: part };
  };
  return [keyOf(first), ...others.map(keyOf)];
}
