import { ConflictError, UnavailableError } from "@postern/core/adapter";
import type { Dialect } from "./dialect.ts";

/** Converts an error from the driver to an error of the data contract. Returns all other errors unchanged. */
export function translateError(dialect: Dialect, error: unknown): unknown {
  if (error instanceof ConflictError || error instanceof UnavailableError) return error;
  switch (dialect.classifyError(error)) {
    case "conflict":
      return new ConflictError("a unique key is already in use", { cause: error });
    case "retry":
      return new UnavailableError("the database is busy", { cause: error });
    case "unavailable":
      return new UnavailableError("the database is unavailable, or the result of the statement is unknown", { cause: error });
    default:
      return error;
  }
}
