import type { Wait } from "./wait.ts";

/** Something of the host's did not answer in time. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Asks something of the host's, and waits no longer than it may take. Whoever is asked has a signal that is aborted then.
 * @param who is asked, for people: "the rate limiter".
 * @throws what `ask` throws, or a {@link DeadlineError}. A late answer is not looked at, whatever it is.
 */
export async function withDeadline<T>(ask: (late: AbortSignal) => Promise<T>, milliseconds: number, who: string, wait: Wait): Promise<T> {
  const answered = new AbortController();
  const late = new AbortController();
  const expiry = wait(milliseconds, answered.signal).then(() => {
    late.abort();
    throw new DeadlineError(`${who} did not answer within ${milliseconds} ms`);
  });
  // After the answer nobody looks at the expiry any more.
  expiry.catch(() => {});
  try {
    return await Promise.race([ask(late.signal), expiry]);
  } finally {
    answered.abort();
  }
}
