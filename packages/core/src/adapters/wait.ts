import { systemTimer, type SetTimer } from "./timer.ts";

/**
 * Waits, in milliseconds of real time; `signal` ends it early, also without an error. Passed in, so that a test need not wait.
 */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Makes a {@link Wait} on timers. */
export function createWait(setTimer: SetTimer): Wait {
  return (milliseconds, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const cancel = setTimer(milliseconds, end);
      if (signal?.aborted === true) end();
      else signal?.addEventListener("abort", end);
    });
}

/** Waits by the runtime's timer. */
export const systemWait: Wait = createWait(systemTimer);
