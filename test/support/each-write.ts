import { sampled } from "./nightly.ts";

/** Returns the numbers from 1 to `count`. */
export const writeNumbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/**
 * Calls `attempt` without an interruption, and then with one at the writes of that call: at each write in `.ci/nightly`,
 * and at some of them otherwise (`sampled`).
 * @param attempt sends a request that is interrupted at the given write, counted from 1, or never if the number is
 * `Infinity`. Checks the result. Returns how many writes the request started.
 * @returns the number of writes of a request that is not interrupted.
 * @throws {Error} if a request ends before the write at which it is to be interrupted, because such a test would pass.
 */
export async function forEachWrite(attempt: (write: number) => Promise<number>): Promise<number> {
  const writes = await attempt(Infinity);
  if (writes < 1) throw new Error("the request writes nothing");
  for (const write of sampled("writes", writeNumbers(writes)))
    if ((await attempt(write)) < write) throw new Error(`the request ended before write ${write}`);
  return writes;
}
