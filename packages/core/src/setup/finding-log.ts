import type { Logger } from "../adapters/logger.ts";
import type { SetupCheck, Finding } from "./finding.ts";

/**
 * Logs warnings about wrong options (event `setup`). Requests reveal wrong options, so clients could fill the log.
 * Therefore each check logs at most one warning per process.
 */
interface FindingLog {
  /** Whether a finding of this check was logged. */
  has(check: SetupCheck): boolean;
  write(finding: Finding): void;
}

/** Creates {@link FindingLog}. */
export function createFindingLog(logger: Logger): FindingLog {
  const logged = new Set<SetupCheck>();
  return {
    has: (check) => logged.has(check),
    write({ check, option, given, message, cure, page }) {
      if (logged.has(check)) return;
      logged.add(check);
      logger.log({ level: "warn", event: "setup", option, given, seen: message, expected: cure, page });
    },
  };
}
