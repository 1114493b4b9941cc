/**
 * Waits for `work` until `signal` is aborted. What `work` returns or throws after the abort is ignored.
 * @param cancel called once if the signal is aborted before `work` settles, or was already aborted before the call.
 * @throws the error of `work`, or the reason of the signal.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>, cancel: () => void): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      try {
        cancel();
      } catch {
        // An error in an event listener would end the process, so errors of `cancel` are ignored.
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
