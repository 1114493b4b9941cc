import { base64url } from "jose";
import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

/** Where randomness comes from. */
export interface Random {
  /** `length` unpredictable bytes. */
  bytes(length: number): Uint8Array;
}

/** The runtime's cryptographic generator. A call of it costs as much for many bytes as for a few, so small amounts are drawn together. */
export const systemRandom: Random = {
  bytes(length) {
    if (length > maximumFromPool) return crypto.getRandomValues(new Uint8Array(length));
    if (used + length > pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    const bytes = pool.slice(used, used + length);
    // What was handed out is kept nowhere else.
    pool.fill(0, used, used + length);
    used += length;
    return bytes;
  },
};

const maximumFromPool = 64;
const pool = new Uint8Array(4096);
let used = pool.length;

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Random bytes and identifiers. Record IDs are sortable; the other identifiers are unguessable. */
export interface RandomValues extends Random {
  /** A sortable id, with Auth0's prefix for its kind: `org_01J…`. */
  record(prefix?: string): string;
  /** `length` letters and digits, unguessable: 32 for a client id. */
  alphanumeric(length: number): string;
  /** `length` decimal digits, unguessable: for codes that people type. */
  digits(length: number): string;
  /** `bytes` random bytes in base64url: 32 bytes make 43 characters. */
  token(bytes?: number): string;
}

/** Creates {@link RandomValues} from a clock and a source of randomness. */
export function createRandomValues(clock: Clock, random: Random): RandomValues {
  // Monotonic: ids of one process sort in the order they were made, also within a millisecond and when the clock steps back.
  const next = monotonicFactory(() => fraction(random.bytes(4)));
  return {
    bytes: (length) => random.bytes(length),
    record: (prefix = "") => prefix + next(clock.now()),
    alphanumeric: (length) => characters(random, alphanumerics, length),
    digits: (length) => characters(random, "0123456789", length),
    token: (bytes = 32) => base64url.encode(random.bytes(bytes)),
  };
}

/** `length` characters of an alphabet, each as likely as any other. */
function characters(random: Random, alphabet: string, length: number): string {
  // The largest multiple in a byte: without the cut the first characters would be likelier.
  const limit = 256 - (256 % alphabet.length);
  let out = "";
  while (out.length < length) {
    for (const byte of random.bytes(length * 2)) {
      if (byte < limit && out.length < length) out += alphabet.charAt(byte % alphabet.length);
    }
  }
  return out;
}

/** Four random bytes as a number from 0 up to, but not including, 1. */
function fraction(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) / 2 ** 32;
}
