/** One thing worth telling the operator. Never holds a secret, a token or a code. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  /** What happened, as a short stable name, for example `request` or `audit_failed`. */
  readonly event: string;
  readonly [detail: string]: unknown;
}

/** Where Postern reports to the operator of the host. If it throws or rejects, the entry goes to standard error and the request continues. */
export interface Logger {
  log(entry: LogEntry): void;
}

/** Warnings and errors to standard error, one JSON object a line. The default. */
export const consoleLogger: Logger = {
  log(entry) {
    if (entry.level !== "info")
      console.error(JSON.stringify(entry, (_, value: unknown) => (value instanceof Error ? describeError(value) : value)));
  },
};

/**
 * Wraps a logger so that logging never fails its caller. An entry that the logger rejects goes to standard error, with the logger's own error.
 * A logger that threw out of an error handler would otherwise end the request without a response.
 */
export function reliableLogger(logger: Logger): Logger {
  const report = (entry: LogEntry, error: unknown): void => {
    try {
      consoleLogger.log({ level: "error", event: "logger_failed", error });
      consoleLogger.log(entry);
    } catch {
      // Standard error is closed, or the entry cannot be serialized: no place is left to report to.
    }
  };
  return {
    log(entry) {
      try {
        // An async function is assignable to `log`.
        const result: unknown = logger.log(entry);
        if (result instanceof Promise) result.catch((error: unknown) => report(entry, error));
      } catch (error) {
        report(entry, error);
      }
    },
  };
}

function describeError(error: Error): object {
  return { name: error.name, message: error.message, stack: error.stack, ...(error.cause !== undefined && { cause: String(error.cause) }) };
}
