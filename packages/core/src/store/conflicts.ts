/** A unique key is already in use, so the update changed nothing. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  readonly code = "conflict";
}

/**
 * The store is temporarily unavailable, for example after a lost connection, after repeated deadlocks, or because a
 * queue is full. Becomes a 503 response.
 */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
  readonly code = "unavailable";
}

/**
 * The store did not respond in time, and the caller no longer waits. A write may still take effect later; it is neither
 * retried nor reported as successful. Becomes a 503 response, like every {@link UnavailableError}.
 */
export class DataTimeoutError extends UnavailableError {}

/** True for a {@link ConflictError}, including one from another copy of this package. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && error.name === "ConflictError";
}

/** True for an {@link UnavailableError}, including one from another copy of this package. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === "UnavailableError";
}
