import type { Pbkdf2Hash, ScryptHash, StoredHash } from "./stored-hash.ts";

/**
 * The maximum cost of verifying one hash, with all forms of a password, in the unit that {@link hashCost} defines. It
 * takes about two seconds on one core. Administrators of tenants import hashes; without this limit, one hash could block a slot in the hasher's queue
 * for minutes.
 */
export const maximumCost = 5_000_000;

/** Units per PBKDF2 iteration and block. SHA-512 costs more, because most processors have no instructions for it. */
const digestUnits: { readonly [Digest in Pbkdf2Hash["digest"]]: number } = { "SHA-1": 1, "SHA-256": 1, "SHA-512": 2 };
const digestBytes: { readonly [Digest in Pbkdf2Hash["digest"]]: number } = { "SHA-1": 20, "SHA-256": 32, "SHA-512": 64 };

const scryptUnits = 1.19;
const argon2Units = 4.75;
/** The cost of OpenSSL's threads per lane and pass. OpenSSL starts one thread for each of the four slices in a pass. */
const argon2ThreadUnits = 4 * 30;
const bcryptUnits = 150;
const singleDigestUnits = 50;

/**
 * Returns the cost of computing a hash once. One unit is one PBKDF2 iteration of HMAC-SHA-256 over one block, about 0.3
 * microseconds. The cost depends only on the parameters, so it is the same in every process.
 */
export function hashCost(hash: StoredHash): number {
  switch (hash.kind) {
    case "pbkdf2":
      // All iterations are computed again for each block of output (RFC 8018 section 5.2).
      return hash.iterations * Math.ceil(hash.key.length / digestBytes[hash.digest]) * digestUnits[hash.digest];
    case "scrypt":
      return scryptCost(hash, hash.key.length);
    case "firebase":
      return scryptCost(hash, 32);
    case "argon2": {
      const { memory, passes, parallelism } = hash;
      // The lanes share the memory, so more lanes increase only the cost of threads.
      return memory * passes * argon2Units + (parallelism > 1 ? passes * parallelism * argon2ThreadUnits : 0);
    }
    case "bcrypt":
      return 2 ** Number(hash.text.slice(4, 6)) * bcryptUnits;
    case "digest":
      return singleDigestUnits;
  }
}

/**
 * Returns the cost of scrypt. In addition to mixing blocks, scrypt expands the password to 128 * r * p bytes with
 * PBKDF2, and hashes all these bytes again for each block of the key (RFC 7914 section 6). If N is small, this is most
 * of the work.
 */
function scryptCost({ cost, blockSize, parallelism }: Omit<ScryptHash, "kind">, keyBytes: number): number {
  const lanes = blockSize * parallelism;
  return cost * lanes * scryptUnits + lanes * (4 + Math.ceil(keyBytes / digestBytes["SHA-256"]));
}
