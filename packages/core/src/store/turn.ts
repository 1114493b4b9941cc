/** Captured when the module loads: a host's test that fakes timers later delays no request. */
const { setImmediate: atEnd, setTimeout: later }: RuntimeTimers = globalThis;

interface RuntimeTimers {
  readonly setImmediate?: (run: () => void) => unknown;
  readonly setTimeout?: (run: () => void, milliseconds: number) => unknown;
}

/**
 * Resolves at the end of the current turn of the event loop: other requests and I/O that are ready run first. Loops over many rows await it after each batch,
 * because a synchronous database driver never leaves the turn by itself. Uses a timer on runtimes without `setImmediate`, and resolves at once on those without timers.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (atEnd !== undefined) atEnd(resolve);
    else if (later !== undefined) later(resolve, 0);
    else resolve();
  });
}
