import { ConflictError, UnavailableError } from "@postern/core/adapter";
import type { Dialect } from "./dialect.ts";

/** A driver's error as core understands it; an error that is already core's, or the program's, stays as it is. */
export function translated(dialect: Dialect, error: unknown): unknown {
  if (error instanceof ConflictError || error instanceof UnavailableError) return error;
  switch (dialect.fault(error)) {
    case "conflict":
      return new ConflictError("a unique key is taken", { cause: error });
    case "retry":
      return new UnavailableError("the database is busy", { cause: error });
    case "unavailable":
      return new UnavailableError("the database cannot be reached", { cause: error });
    default:
      return error;
  }
}
