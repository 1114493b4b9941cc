/** A unique key is taken, so that an update changed nothing. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  readonly code = "conflict";
}

/** The store could not answer now and may later: a lost connection, a deadlock that stayed, a full queue. Becomes a 503. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly code = "unavailable";
}

/**
 * The store did not respond in time, so nobody waits for the call any longer. A write may still take effect later; it is neither retried nor acknowledged.
 * Becomes a 503, as every {@link UnavailableError} does.
 */
export class DataTimeoutError extends UnavailableError {}

/** True for a {@link ConflictError}, also one from another copy of this package. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && error.name === "ConflictError";
}

/** True for an {@link UnavailableError}, also one from another copy of this package. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === "UnavailableError";
}
