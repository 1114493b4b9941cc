import type { Bytes } from "./bytes.ts";

/** The parameters of a stored hash. `key` is the expected result. */
export type StoredHash = Argon2Hash | ScryptHash | Pbkdf2Hash | FirebaseHash | DigestHash | BcryptHash;

/** Argon2 (RFC 9106), version 1.3. */
export interface Argon2Hash {
  readonly kind: "argon2";
  readonly variant: "argon2d" | "argon2i" | "argon2id";
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Bytes;
  readonly key: Bytes;
}

/** scrypt (RFC 7914). Computing it requires 128 * cost * blockSize bytes of memory. */
export interface ScryptHash {
  readonly kind: "scrypt";
  /** N, a power of two. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelism: number;
  readonly salt: Bytes;
  readonly key: Bytes;
}

/** PBKDF2 (RFC 8018 section 5.2) with HMAC. */
export interface Pbkdf2Hash {
  readonly kind: "pbkdf2";
  readonly digest: "SHA-1" | "SHA-256" | "SHA-512";
  readonly iterations: number;
  readonly salt: Bytes;
  readonly key: Bytes;
}

/**
 * Firebase's variant of scrypt: the derived key encrypts the project's signer key. https://github.com/firebase/scrypt
 */
export interface FirebaseHash extends Omit<ScryptHash, "kind"> {
  readonly kind: "firebase";
  readonly signerKey: Bytes;
}

/**
 * One round of a digest, as in old systems: over the password with a salt before or after it, over the password alone,
 * or as HMAC with the salt as its key. Guessing passwords for such a hash is cheap, so the first login that verifies
 * the hash replaces it.
 */
export interface DigestHash {
  readonly kind: "digest";
  readonly digest: "md5" | "sha1" | "sha256" | "sha512";
  readonly construction: "prefix" | "suffix" | "plain" | "hmac";
  readonly salt: Bytes;
  readonly key: Bytes;
}

/** bcrypt, with the prefix `$2b$` that every library supports. */
export interface BcryptHash {
  readonly kind: "bcrypt";
  readonly text: string;
}
