import { systemTimer, type SetTimer } from "./timer.ts";

/**
 * Waits for a number of milliseconds of real time. Aborting `signal` resolves the promise early, without an error. The
 * function is injected so that tests do not have to wait.
 */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Creates a {@link Wait} from timers. */
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

/** Waits with the runtime's timers. */
export const systemWait: Wait = createWait(systemTimer);
