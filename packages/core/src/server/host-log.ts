import { consoleLogger, type LogEntry, type Logger } from "../adapters/logger.ts";

const loggers = new WeakMap<object, Logger>();

/** Sets the logger that {@link writeLogEntry} uses for a handler. */
export function setHostLogger(postern: object, logger: Logger): void {
  loggers.set(postern, logger);
}

/**
 * Writes an entry of a framework integration to the host's `logger`. An object that `createPostern` did not return has
 * no logger: its warnings and errors go to standard error.
 */
export function writeLogEntry(postern: object, entry: LogEntry): void {
  (loggers.get(postern) ?? consoleLogger).log(entry);
}
