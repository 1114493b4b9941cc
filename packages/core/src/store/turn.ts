/** Captured when the module loads, so that requests are not delayed if a host's tests install fake timers. */
const { setImmediate: runAtEndOfTurn, setTimeout: runLater }: RuntimeTimers = globalThis;

interface RuntimeTimers {
  readonly setImmediate?: (run: () => void) => unknown;
  readonly setTimeout?: (run: () => void, milliseconds: number) => unknown;
}

/**
 * Resolves at the end of the current turn of the event loop, so that other requests and pending I/O run first. Loops
 * over many rows await it after each batch, because a synchronous database driver never yields by itself. Uses a timer
 * on runtimes without `setImmediate`, and resolves immediately on runtimes without timers.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (runAtEndOfTurn !== undefined) runAtEndOfTurn(resolve);
    else if (runLater !== undefined) runLater(resolve, 0);
    else resolve();
  });
}
