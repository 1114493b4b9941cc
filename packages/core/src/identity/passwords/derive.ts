import { nodeCrypto } from "../../adapters/builtin.ts";
import type { Bytes } from "./bytes.ts";
import type { Argon2Hash, DigestHash, FirebaseHash, Pbkdf2Hash, ScryptHash } from "./stored-hash.ts";

/** A hash whose key this module can compute. */
export type DerivedHash = Argon2Hash | ScryptHash | Pbkdf2Hash | FirebaseHash | DigestHash;

/** Returns whether this runtime can compute hashes of this kind. Argon2 requires Node 24.7. */
export function canDerive(kind: DerivedHash["kind"]): boolean {
  switch (kind) {
    case "argon2":
      return typeof nodeCrypto?.argon2 === "function";
    case "scrypt":
    case "firebase":
      return typeof nodeCrypto?.scrypt === "function";
    case "digest":
      return nodeCrypto !== undefined;
    case "pbkdf2":
      return true;
  }
}

/**
 * Computes the key for a password with the algorithm, salt and parameters of a hash. Node computes it outside the main
 * thread. Requires {@link canDerive}.
 */
export function deriveKey(password: Bytes, hash: DerivedHash): Promise<Uint8Array> {
  switch (hash.kind) {
    case "argon2":
      return argon2(password, hash);
    case "scrypt":
      return scrypt(password, hash, hash.key.length);
    case "pbkdf2":
      return pbkdf2(password, hash);
    case "firebase":
      return firebase(password, hash);
    case "digest":
      return Promise.resolve(digest(password, hash));
  }
}

function argon2(message: Bytes, { variant, memory, passes, parallelism, salt: nonce, key }: Argon2Hash): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const parameters = { message, nonce, memory, passes, parallelism, tagLength: key.length };
    node().argon2(variant, parameters, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}

function scrypt(password: Bytes, { cost, blockSize, parallelism, salt }: Omit<ScryptHash, "kind">, length: number): Promise<Uint8Array> {
  // OpenSSL needs a few blocks in addition to the 128 * N * r bytes. Twice that amount is enough, and still limits the
  // memory.
  const options = { cost, blockSize, parallelization: parallelism, maxmem: 256 * blockSize * (cost + parallelism) };
  return new Promise((resolve, reject) => {
    node().scrypt(password, salt, length, options, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}

async function pbkdf2(password: Bytes, { digest, iterations, salt, key }: Pbkdf2Hash): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "PBKDF2", hash: digest, iterations, salt }, imported, key.length * 8));
}

async function firebase(password: Bytes, hash: FirebaseHash): Promise<Uint8Array> {
  const secret = new Uint8Array(await scrypt(password, hash, 32));
  const key = await crypto.subtle.importKey("raw", secret, "AES-CTR", false, ["encrypt"]);
  return new Uint8Array(await crypto.subtle.encrypt({ name: "AES-CTR", counter: new Uint8Array(16), length: 64 }, key, hash.signerKey));
}

function digest(password: Bytes, { digest: name, construction, salt }: DigestHash): Uint8Array {
  if (construction === "hmac") return node().createHmac(name, salt).update(password).digest();
  const hash = node().createHash(name);
  if (construction === "prefix") hash.update(salt);
  hash.update(password);
  if (construction === "suffix") hash.update(salt);
  return hash.digest();
}

function node(): NonNullable<typeof nodeCrypto> {
  if (nodeCrypto === undefined) throw new TypeError("this runtime has no node:crypto");
  return nodeCrypto;
}
