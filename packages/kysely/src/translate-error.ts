import { ConflictError, UnavailableError } from "@postern/core/adapter";
import type { Dialect } from "./dialect.ts";

/** Converts a driver's error to an error of the data contract. Other errors are returned unchanged. */
export function translateError(dialect: Dialect, error: unknown): unknown {
  if (error instanceof ConflictError || error instanceof UnavailableError) return error;
  switch (dialect.classifyError(error)) {
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
