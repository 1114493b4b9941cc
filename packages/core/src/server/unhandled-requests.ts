/** A request that the host's app handles itself. */
export interface UnhandledRequest {
  readonly method: string;
  /** Absolute, as in `Request.url`. */
  readonly url: string;
}

const reporters = new WeakMap<object, (request: UnhandledRequest) => Promise<void>>();

/** Sets what {@link reportUnhandledRequest} does for a handler. @param report must not reject. */
export function onUnhandledRequest(postern: object, report: (request: UnhandledRequest) => Promise<void>): void {
  reporters.set(postern, report);
}

/**
 * Reports a request outside the issuer's path, which glue passes on to the host's app. If it looks like a request for Postern at another path, a warning is
 * logged once per process (event `setup`): a handler that is mounted at a wrong path would otherwise serve nothing, silently.
 * Never rejects, and need not be awaited.
 */
export async function reportUnhandledRequest(postern: object, request: UnhandledRequest): Promise<void> {
  await reporters.get(postern)?.(request);
}
