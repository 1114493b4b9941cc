/** A request that the host application handles itself. */
export interface UnhandledRequest {
  readonly method: string;
  /** The absolute URL, as in `Request.url`. */
  readonly url: string;
}

const reporters = new WeakMap<object, (request: UnhandledRequest) => Promise<void>>();

/** Sets the function that {@link reportUnhandledRequest} calls for a handler. @param report must not reject. */
export function onUnhandledRequest(postern: object, report: (request: UnhandledRequest) => Promise<void>): void {
  reporters.set(postern, report);
}

/**
 * Reports a request outside the issuer's path, which a framework adapter passes on to the host application. If the
 * request seems to be meant for Postern at another path, a warning is logged once per process (event `setup`). Without
 * the warning, a handler that is mounted at a wrong path would serve no request and give no reason. The promise never
 * rejects and need not be awaited.
 */
export async function reportUnhandledRequest(postern: object, request: UnhandledRequest): Promise<void> {
  await reporters.get(postern)?.(request);
}
