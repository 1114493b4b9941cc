import { base64url } from "jose";
import type { Clock } from "./clock.ts";
import { createUlidFactory } from "../store/ulid.ts";

/** A source of randomness. */
export interface Random {
  /** Returns `length` unpredictable bytes. */
  bytes(length: number): Uint8Array;
}

/**
 * The cryptographic random generator of the runtime. A call costs about the same for few and for many bytes, so small
 * requests are served from a pool.
 */
export const systemRandom: Random = {
  bytes(length) {
    if (length > maximumFromPool) return crypto.getRandomValues(new Uint8Array(length));
    if (used + length > pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    // The pool must not retain bytes that were returned.
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};

const maximumFromPool = 64;
const pool = new Uint8Array(4096);
let used = pool.length;

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Creates random bytes and identifiers. Only the ids from `record` are sortable; the others are unguessable. */
export interface RandomValues extends Random {
  /** Returns a sortable id (a ULID, which begins with the current time), with Auth0's prefix for its kind: `org_01J…`. */
  record(prefix?: string): string;
  /** Returns `length` unguessable letters and digits: 32 for a client id. */
  alphanumeric(length: number): string;
  /** Returns `length` unguessable decimal digits, for codes that users type. */
  digits(length: number): string;
  /** Returns `bytes` random bytes in base64url. The default of 32 bytes makes 43 characters. */
  token(bytes?: number): string;
}

/** Creates {@link RandomValues} from a clock and a source of randomness. */
export function createRandomValues(clock: Clock, random: Random): RandomValues {
  const createUlid = createUlidFactory(() => fraction(random.bytes(4)));
  return {
    bytes: (length) => random.bytes(length),
    record: (prefix = "") => prefix + createUlid(clock.now()),
    alphanumeric: (length) => randomCharacters(random, alphanumerics, length),
    digits: (length) => randomCharacters(random, "0123456789", length),
    token: (bytes = 32) => base64url.encode(random.bytes(bytes)),
  };
}

/** Returns `length` unguessable characters of an alphabet, each with the same probability. */
export function randomCharacters(random: Random, alphabet: string, length: number): string {
  // The largest multiple of the alphabet's length that fits in a byte. If greater bytes were used, the first characters
  // of the alphabet would be more likely.
  const limit = 256 - (256 % alphabet.length);
  let out = "";
  while (out.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < limit && out.length < length) out += alphabet.charAt(byte % alphabet.length);
    }
  }
  return out;
}

/** Converts four random bytes to a number from 0 (inclusive) to 1 (exclusive). */
function fraction(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32;
}
