/** Taken once: a host's test that fakes timers later holds no answer up. */
const { setImmediate: atEnd }: { readonly setImmediate?: (run: () => void) => unknown } = globalThis;

/** Resolves when what is ready now has been handled: at the end of the event loop's turn. At once where the runtime cannot tell. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (atEnd === undefined) resolve();
    else atEnd(resolve);
  });
}
