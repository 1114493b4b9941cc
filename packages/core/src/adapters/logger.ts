/** An entry of the operator's log. It never contains secrets, tokens or codes. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  /** A short, stable event name, for example `request` or `audit_failed`. */
  readonly event: string;
  readonly [detail: string]: unknown;
}

/**
 * The operator's log. If the logger throws or rejects, the entry is written to standard error and the request
 * continues.
 */
export interface Logger {
  /** Writes an entry. Requests do not wait for it. */
  log(entry: LogEntry): void;
}

/** The default logger: writes warnings and errors to standard error as one JSON object per line. */
export const consoleLogger: Logger = {
  log(entry) {
    if (entry.level !== "info")
      console.error(JSON.stringify(entry, (_, value: unknown) => (value instanceof Error ? describeError(value) : value)));
  },
};

/**
 * Wraps a logger so that logging never throws. If the logger throws or rejects, the entry and the error are written to
 * standard error. Otherwise, a logger that throws in an error handler would end the request without a response.
 */
export function reliableLogger(logger: Logger): Logger {
  const report = (entry: LogEntry, error: unknown): void => {
    try {
      consoleLogger.log({ level: "error", event: "logger_failed", error });
      consoleLogger.log(entry);
    } catch {
      // Standard error is closed, or the entry cannot be serialized. There is nowhere left to report the error.
    }
  };
  return {
    log(entry) {
      try {
        // TypeScript accepts an async function as `log`, so the result may be a promise.
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
