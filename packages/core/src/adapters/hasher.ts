import { UnavailableError } from "../store/conflicts.ts";

/**
 * The result of a password verification. `match-rehash`: the password is correct, and a new hash should replace the
 * stored one.
 */
export type PasswordVerdict = "match" | "match-rehash" | "no-match";

/**
 * Hashes passwords and verifies them. Created by `createPasswordHasher`, or implemented by a host that has a hashing
 * service.
 *
 * Hashes are strings. New hashes are in PHC format; imported hashes are in the format of the system that they come
 * from. A hasher should not block the event loop if the runtime can avoid it. Each method may throw a {@link BusyError}
 * if too many calls are waiting. `tenantId` names the tenant that the password belongs to, so that a hasher with a
 * queue can be fair between tenants. `onStart` is called when a call has left the queue and the computation begins, so
 * that telemetry can measure the wait; it never throws. A hasher may ignore both.
 */
export interface PasswordHasher {
  /**
   * Returns the hash to store for a new password.
   * @throws {PasswordTooLongError}
   */
  hash(password: string, tenantId?: string, onStart?: () => void): Promise<string>;
  /**
   * Verifies a password against a stored hash.
   * @throws {UnsupportedHashError} if this runtime cannot verify the hash. It must not return "no-match" then, which
   * would lock out the user without a visible cause.
   */
  verify(password: string, stored: string, tenantId?: string, onStart?: () => void): Promise<PasswordVerdict>;
  /**
   * Takes as long as `verify` takes for a new hash. Called if no account has the given identifier, so that response
   * times do not reveal which accounts exist.
   */
  verifyDummy(password: string, tenantId?: string, onStart?: () => void): Promise<void>;
  /**
   * Whether `verify` supports this hash. An import rejects unsupported hashes, because their users could not sign in.
   */
  accepts(stored: string): boolean;
  /** The current numbers of calls that are computing and waiting, for metrics. Default: they are not reported. */
  readonly queue?: { readonly active: number; readonly waiting: number } | undefined;
}

/** Too many passwords are waiting to be hashed. As an {@link UnavailableError}, it becomes a 503 response. */
export class BusyError extends UnavailableError {}

/** The password exceeds the maximum length that the hasher supports. */
export class PasswordTooLongError extends Error {
  override readonly name = "PasswordTooLongError";
}

/**
 * This runtime or configuration does not support the algorithm or the parameters of a stored hash. The message never
 * contains the hash.
 */
export class UnsupportedHashError extends Error {
  override readonly name = "UnsupportedHashError";
}

/**
 * This runtime does not have the configured algorithm. Thrown when the hasher is created, so that a misconfigured
 * process does not start.
 */
export class UnavailableAlgorithmError extends Error {
  override readonly name = "UnavailableAlgorithmError";
}
