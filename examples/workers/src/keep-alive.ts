/** The part of Cloudflare's `ExecutionContext` that this file uses. */
export interface Context {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Keeps a request running until its response is available. Requests of an isolate wait for each other: one loads
 * settings for all, and one writes the audit events of several. But Workers ends a request that only waits for other
 * requests ("hung"), so each request starts a timer. If the client disconnects, `waitUntil` lets the work of the
 * request continue.
 */
export async function keepAlive<T>(response: Promise<T>, context: Context): Promise<T> {
  const timer = setInterval(() => {}, 1000);
  context.waitUntil(response);
  try {
    return await response;
  } finally {
    clearInterval(timer);
  }
}
