import type { Random } from "../../adapters/random.ts";
import { toBase64 } from "./bytes.ts";
import { formatPhc } from "./phc.ts";
import type { Argon2Hash, Pbkdf2Hash, ScryptHash, StoredHash } from "./stored-hash.ts";

/** An algorithm for new password hashes. */
export type PasswordAlgorithm = "argon2id" | "scrypt" | "pbkdf2";

type TargetHash = Argon2Hash | ScryptHash | Pbkdf2Hash;

type Computed = "salt" | "key";

/** The parameters for new hashes. */
export type HashTarget = Omit<Argon2Hash, Computed> | Omit<ScryptHash, Computed> | Omit<Pbkdf2Hash, Computed>;

/**
 * The parameters for each algorithm. OWASP's Password Storage Cheat Sheet lists them as equally strong. For scrypt, it also
 * lists N=2^17; N=2^14 requires 16 MiB per hash instead of 128 MiB, and less than half the time (118 ms instead of 276
 * ms). https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
export const hashTargets: { readonly [Name in PasswordAlgorithm]: HashTarget } = {
  argon2id: { kind: "argon2", variant: "argon2id", memory: 19_456, passes: 2, parallelism: 1 },
  scrypt: { kind: "scrypt", cost: 2 ** 14, blockSize: 8, parallelism: 5 },
  pbkdf2: { kind: "pbkdf2", digest: "SHA-256", iterations: 600_000 },
};

const saltBytes = 16;
const keyBytes = 32;

/**
 * Creates a hash with a new salt and a key that is filled with zeros. The key defines the length of the key to compute.
 */
export function newHash(target: HashTarget, random: Random): TargetHash {
  return { ...target, salt: new Uint8Array(random.bytes(saltBytes)), key: new Uint8Array(keyBytes) };
}

/** Returns whether a stored hash has the parameters that new hashes have. */
export function isCurrent(hash: StoredHash, target: HashTarget): boolean {
  if (hash.kind === "bcrypt" || hash.salt.length < saltBytes || hash.key.length < keyBytes) return false;
  const { salt: _salt, key: _key, ...parameters } = hash;
  const wanted: { readonly [name: string]: unknown } = { ...target };
  return Object.entries(parameters).every(([name, value]) => wanted[name] === value);
}

/** Formats a hash as a PHC string. */
export function writeHash(hash: TargetHash): string {
  const written = { salt: toBase64(hash.salt), hash: toBase64(hash.key) };
  const named = (parameters: { readonly [name: string]: number }) =>
    new Map(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  switch (hash.kind) {
    case "argon2": {
      const parameters = named({ m: hash.memory, t: hash.passes, p: hash.parallelism });
      return formatPhc({ id: hash.variant, version: 19, parameters, ...written });
    }
    case "scrypt": {
      const parameters = named({ ln: Math.log2(hash.cost), r: hash.blockSize, p: hash.parallelism });
      return formatPhc({ id: "scrypt", parameters, ...written });
    }
    case "pbkdf2": {
      const parameters = named({ i: hash.iterations, l: hash.key.length });
      return formatPhc({ id: `pbkdf2-${hash.digest.toLowerCase().replace("-", "")}`, parameters, ...written });
    }
  }
}
