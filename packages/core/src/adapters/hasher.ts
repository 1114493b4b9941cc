import { UnavailableError } from "../store/conflicts.ts";

/** What a password and a stored hash have to do with each other. `match-rehash`: right, and the hash should be replaced by a new one. */
export type PasswordVerdict = "match" | "match-rehash" | "no-match";

/**
 * Turns passwords into hashes and tells whether a password belongs to one. Made by `createPasswordHasher`, or by a host with a hashing service of its own.
 *
 * Hashes are text: PHC strings for new ones, whatever the former system wrote for imported ones. Never blocks the event loop where the runtime can help it.
 * Each method may throw a {@link BusyError} when too many are waiting. `tenantId` says whose password it is, so that a hasher which lets callers wait can be
 * fair between tenants; it may be ignored.
 */
export interface PasswordHasher {
  /**
   * The hash to store for a new password.
   * @throws {PasswordTooLongError}
   */
  hash(password: string, tenantId?: string): Promise<string>;
  /** @throws {UnsupportedHashError} when this runtime cannot tell: never "no-match" then, which would lock the person out without a trace. */
  verify(password: string, stored: string, tenantId?: string): Promise<PasswordVerdict>;
  /** Costs what `verify` costs for a new hash. For identifiers that no account has, so that time does not tell them apart. */
  verifyNothing(password: string, tenantId?: string): Promise<void>;
  /** Whether `verify` can handle this hash here: for refusing an import before somebody is locked out by it. */
  accepts(stored: string): boolean;
}

/** Too many passwords are waiting to be hashed. An {@link UnavailableError}, so that it becomes a 503. */
export class BusyError extends UnavailableError {}

/** The password is longer than is ever hashed. */
export class PasswordTooLongError extends Error {
  override readonly name = "PasswordTooLongError";
}

/** A stored hash is of a kind, or has parameters, that this runtime or this configuration cannot verify. The message never holds the hash. */
export class UnsupportedHashError extends Error {
  override readonly name = "UnsupportedHashError";
}

/** The configured algorithm does not exist in this runtime. Thrown when the hasher is made, so that a process starts right or not at all. */
export class UnavailableAlgorithmError extends Error {
  override readonly name = "UnavailableAlgorithmError";
}
