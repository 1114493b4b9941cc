import type { Logger } from "../../adapters/logger.ts";
import type { Finding } from "../finding.ts";

/** A single run of the doctor in a process. */
interface SingleRun {
  /** Runs the checks after this response. Later calls do nothing. */
  startAfter(response: Promise<unknown>): void;
  /** Stops logging findings. Call it when the service is closed, because findings would only report that. */
  stop(): void;
}

/**
 * Creates {@link SingleRun}, which logs errors and warnings (event `doctor`). The run starts after the first response,
 * when the public URL is reachable, so that it does not delay the start of the application.
 */
export function runOncePerProcess(runChecks: () => Promise<readonly Finding[]>, logger: Logger): SingleRun {
  let state: "new" | "started" | "stopped" = "new";
  const run = async (response: Promise<unknown>): Promise<void> => {
    await response;
    const findings = await runChecks();
    if (state === "stopped") return;
    for (const { level, check, message, cure } of findings)
      if (level !== "ok") logger.log({ level: "warn", event: "doctor", check, message, cure });
  };
  return {
    startAfter(response) {
      if (state !== "new") return;
      state = "started";
      run(response).catch((error: unknown) => logger.log({ level: "error", event: "doctor", error }));
    },
    stop() {
      state = "stopped";
    },
  };
}
