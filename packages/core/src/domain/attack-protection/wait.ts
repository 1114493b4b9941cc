/**
 * Waits, in milliseconds of real time; `signal` ends it early, also without an error. Passed in, so that a test need not wait.
 */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits by the runtime's timer. */
export const systemWait: Wait = (milliseconds, signal) =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
