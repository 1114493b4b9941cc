import type { Logger } from "../../adapters/logger.ts";
import type { Finding } from "../finding.ts";

/** A single run of checks in a process. */
interface SingleRun {
  /** Runs the checks after this promise, such as a response. Later calls do nothing. */
  startAfter(earlier: Promise<unknown>): void;
  /** Stops logging findings. Call it when the service is closed, because findings would only report that. */
  stop(): void;
}

/** Creates {@link SingleRun}, which logs errors and warnings (event `doctor`). */
export function runOncePerProcess(runChecks: () => Promise<readonly Finding[]>, logger: Logger): SingleRun {
  let state: "new" | "started" | "stopped" = "new";
  const run = async (earlier: Promise<unknown>): Promise<void> => {
    await earlier;
    const findings = await runChecks();
    if (state === "stopped") return;
    for (const { level, check, message, cure } of findings)
      if (level !== "ok") logger.log({ level: "warn", event: "doctor", check, message, cure });
  };
  return {
    startAfter(earlier) {
      if (state !== "new") return;
      state = "started";
      run(earlier).catch((error: unknown) => {
        if (state !== "stopped") logger.log({ level: "error", event: "doctor", error });
      });
    },
    stop() {
      state = "stopped";
    },
  };
}
