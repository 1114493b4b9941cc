import { createHash } from "node:crypto";
import { systemRandom, type Random } from "@postern/core/testing";

/**
 * Creates a random source that is deterministic for a seed, so that a test gets the same ids and codes in each run.
 * Without a seed, returns the system's random source.
 */
export function testRandom(seed: string | undefined): Random {
  if (seed === undefined) return systemRandom;
  // Each length has its own sequence, because salts, encryption and ids use different lengths.
  // Concurrent work of one kind then does not change the numbers of another kind.
  const draws = new Map<number, number>();
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      const draw = draws.get(length) ?? 0;
      draws.set(length, draw + 1);
      for (let at = 0; at < length; at += 32) {
        const block = createHash("sha256").update(`${seed} ${length} ${draw} ${at}`).digest();
        bytes.set(block.subarray(0, Math.min(32, length - at)), at);
      }
      return bytes;
    },
  };
}
