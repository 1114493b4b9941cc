import type { Wait } from "./wait.ts";

/** A call to the host application's code timed out. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Calls code of the host application with a timeout. At the timeout, the signal that the code receives is aborted.
 * @param name names the called code in the error message: "the rate limiter".
 * @throws the errors of `call`, or a {@link DeadlineError}. A result or error that arrives after the timeout is
 * ignored.
 */
export async function withDeadline<T>(
  call: (signal: AbortSignal) => Promise<T>,
  milliseconds: number,
  name: string,
  wait: Wait,
): Promise<T> {
  const settled = new AbortController();
  const timeout = new AbortController();
  const expiry = wait(milliseconds, settled.signal).then(() => {
    timeout.abort();
    throw new DeadlineError(`${name} did not answer within ${milliseconds} ms`);
  });
  // Once the call has settled, nothing handles the rejection of `expiry`.
  expiry.catch(() => {});
  try {
    return await Promise.race([call(timeout.signal), expiry]);
  } finally {
    settled.abort();
  }
}
