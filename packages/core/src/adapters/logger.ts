/** One thing worth telling the operator. Never holds a secret, a token or a code. */
export interface LogEntry {
  readonly level: "info" | "warn" | "error";
  /** What happened, as a short stable name, for example `request` or `audit_failed`. */
  readonly event: string;
  readonly [detail: string]: unknown;
}

/** Where Postern reports to the operator of the host. Must not throw. */
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

function describeError(error: Error): object {
  return { name: error.name, message: error.message, stack: error.stack, ...(error.cause !== undefined && { cause: String(error.cause) }) };
}
