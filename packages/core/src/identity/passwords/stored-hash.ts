import type { Bytes } from "./bytes.ts";

/** What has to be computed for a stored hash. `key` is what must come out. */
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

/** scrypt (RFC 7914). It takes 128 * cost * blockSize bytes of memory. */
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

/** What Firebase makes of scrypt: the key that comes out encrypts the project's signer key. https://github.com/firebase/scrypt */
export interface FirebaseHash extends Omit<ScryptHash, "kind"> {
  readonly kind: "firebase";
  readonly signerKey: Bytes;
}

/**
 * One round of a digest, as old systems have it: over the password with a salt before or after it, over the password alone, or as HMAC with the salt as its key. It costs nothing to
 * guess against, so it is verified at one login and replaced there.
 */
export interface DigestHash {
  readonly kind: "digest";
  readonly digest: "md5" | "sha1" | "sha256" | "sha512";
  readonly construction: "prefix" | "suffix" | "plain" | "hmac";
  readonly salt: Bytes;
  readonly key: Bytes;
}

/** bcrypt, written with the prefix `$2b$` that every library knows. */
export interface BcryptHash {
  readonly kind: "bcrypt";
  readonly text: string;
}
