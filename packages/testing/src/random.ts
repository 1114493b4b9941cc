import { createHash } from "node:crypto";
import { systemRandom, type Random } from "@postern/core/testing";

/** Randomness that comes out alike for the same seed, so that ids and codes of a test are the same in each run. Without a seed it is the system's. */
export function testRandom(seed: string | undefined): Random {
  if (seed === undefined) return systemRandom;
  // Salts, sealing and ids draw by different lengths. What works beside each other in its own time then takes nothing from the others' numbers.
  const drawn = new Map<number, number>();
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      const draw = drawn.get(length) ?? 0;
      drawn.set(length, draw + 1);
      for (let at = 0; at < length; at += 32) {
        const block = createHash("sha256").update(`${seed} ${length} ${draw} ${at}`).digest();
        bytes.set(block.subarray(0, Math.min(32, length - at)), at);
      }
      return bytes;
    },
  };
}
