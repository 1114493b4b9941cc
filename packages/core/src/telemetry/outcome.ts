import { PosternError, statusOfCode } from "../errors.ts";
import { DataTimeoutError, isConflict, isUnavailable } from "../store/conflicts.ts";
import { PasswordTooLongError } from "../adapters/hasher.ts";
import { DeadlineError } from "../adapters/deadline.ts";

/** How a piece of work ended. `refused`: as expected for its input, for example a wrong password. `error`: a failure. */
export type WorkOutcome = "ok" | "refused" | "error";

/** The outcome of failed work, and the type of its error from a closed list. */
interface Failure {
  readonly outcome: Exclude<WorkOutcome, "ok">;
  readonly errorType: string;
}

/** The value of attributes of the OpenTelemetry conventions for a value that is not in the list. */
export const otherConventional = "_OTHER";

/**
 * Describes a thrown error. The result never contains the error's text, which may contain parts of a request.
 */
export function describeFailure(error: unknown): Failure {
  if (error instanceof PosternError) {
    const errorType = Object.hasOwn(statusOfCode, error.code) ? error.code : otherConventional;
    return { outcome: error.status < 500 ? "refused" : "error", errorType };
  }
  if (isConflict(error)) return { outcome: "refused", errorType: "conflict" };
  if (error instanceof PasswordTooLongError) return { outcome: "refused", errorType: "password_too_long" };
  if (error instanceof DataTimeoutError || error instanceof DeadlineError) return { outcome: "error", errorType: "timeout" };
  if (isUnavailable(error)) return { outcome: "error", errorType: "unavailable" };
  return { outcome: "error", errorType: otherConventional };
}

/** Returns the outcome of a response with this status. */
export function outcomeOfStatus(status: number): WorkOutcome {
  if (status >= 500) return "error";
  return status >= 400 ? "refused" : "ok";
}
