const host: { readonly setImmediate?: (run: () => void) => unknown } = globalThis;

/** Resolves when what is ready now has been handled: at the end of the event loop's turn. At once where the runtime cannot tell. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (host.setImmediate === undefined) resolve();
    else host.setImmediate(resolve);
  });
}
