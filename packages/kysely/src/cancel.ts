/**
 * Waits for `work`, and no longer than until `signal` is aborted.
 * @param cancel called once if the signal is aborted first, also if it was aborted before.
 * @throws what `work` throws, or the signal's reason. What becomes of `work` after the abort is ignored.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, cancel: () => void): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      try {
        cancel();
      } catch {
        // What a listener throws would end the process. Cancelling is best effort.
      }
      reject(signal.reason instanceof Error ? signal.reason : new Error("the call was aborted"));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
