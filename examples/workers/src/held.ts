/** Cloudflare's `ExecutionContext`, as far as it is needed here. */
export interface Context {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Keeps a request going until its answer is there. Requests of an isolate wait for each other: one loads settings for all, one writes the audit events of several. But Workers ends a request that waits for
 * nothing of its own ("hung"), so each has a timer; and where a client leaves, what its request began goes on by `waitUntil`.
 */
export async function held<T>(answer: Promise<T>, context: Context): Promise<T> {
  const timer = setInterval(() => {}, 1000);
  context.waitUntil(answer);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
}
