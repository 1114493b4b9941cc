/** The part of Cloudflare's `ExecutionContext` that this file uses. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Keeps a request running until its response is available. Requests in one isolate wait for each other: one request
 * loads settings for all of them, and one request writes the audit events of several. Workers ends a request that only
 * waits for other requests ("hung"), so each request starts a timer. If the client disconnects, `waitUntil` lets the
 * work for the request continue.
 */
export async function keepAlive<T>(response: Promise<T>, context: WorkerContext): Promise<T> {
  const timer = setInterval(() => {}, 1000);
  context.waitUntil(response);
  try {
    return await response;
  } finally {
    clearInterval(timer);
  }
}
