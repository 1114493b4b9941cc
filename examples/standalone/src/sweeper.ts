import type { Logger, PosternJobs } from "@postern/core";

/** Work that is done again and again. */
export interface Sweeper {
  /** Begins nothing new, and waits for what is being done. */
  stop(): Promise<void>;
}

const tenMinutes = 600_000;
const fiveSeconds = 5000;
/** Rows at a time, so that requests get their turn in between. */
const budget = 1000;

/** Removes what has expired: at once, and then every ten minutes. It does not keep the process alive. */
export function startSweeping(jobs: Pick<PosternJobs, "sweep">, logger: Logger, interval = tenMinutes): Sweeper {
  return again(
    () => jobs.sweep({ budget }),
    (error) => logger.log({ level: "warn", event: "sweep_failed", text: "Removing what has expired failed; it goes on next time.", error }),
    interval,
  );
}

/** Delivers events to log streams: at once, and then every five seconds. It does not keep the process alive. */
export function startDelivering(jobs: Pick<PosternJobs, "deliverEvents">, logger: Logger, interval = fiveSeconds): Sweeper {
  return again(
    () => jobs.deliverEvents({ budget }),
    (error) => logger.log({ level: "warn", event: "delivery_failed", text: "Delivering events failed; it goes on next time.", error }),
    interval,
  );
}

/** Does work until nothing is left, at once and then at each interval. */
function again(work: () => Promise<{ readonly finished: boolean }>, failed: (error: unknown) => void, interval: number): Sweeper {
  let stopped = false;
  let running: Promise<void> | undefined;

  const round = async (): Promise<void> => {
    try {
      while (!stopped && !(await work()).finished) await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      failed(error);
    }
  };
  const begin = (): void => {
    running ??= round().finally(() => (running = undefined));
  };

  begin();
  const timer = setInterval(begin, interval);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
