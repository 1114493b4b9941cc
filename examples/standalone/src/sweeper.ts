import type { Logger, PosternJobs } from "@postern/core";

/** Work that runs repeatedly. */
interface Sweeper {
  /** Starts no further work, and waits for the running work. */
  stop(): Promise<void>;
}

const tenMinutes = 600_000;
const fiveSeconds = 5000;
/** Rows per step, so that requests can run between the steps. */
const budget = 1000;
/** Rounds of deliveries at the same time, so that a slow receiver does not delay the next round. */
const parallelDeliveries = 4;

/** Deletes expired data at once and then every ten minutes. The timer does not keep the process running. */
export function startSweeping(jobs: Pick<PosternJobs, "sweep">, logger: Logger, interval = tenMinutes): Sweeper {
  return repeat(
    () => jobs.sweep({ budget }),
    (error) => logger.log({ level: "warn", event: "sweep_failed", text: "Deleting expired data failed. The next run continues.", error }),
    interval,
  );
}

/**
 * Delivers events to log streams at once and then every five seconds, even if a slow receiver holds up the previous
 * round. The timer does not keep the process running.
 */
export function startDelivering(jobs: Pick<PosternJobs, "deliverEvents">, logger: Logger, interval = fiveSeconds): Sweeper {
  return repeat(
    () => jobs.deliverEvents({ budget }),
    (error) => logger.log({ level: "warn", event: "delivery_failed", text: "Delivering events failed. The next run continues.", error }),
    interval,
    parallelDeliveries,
  );
}

/**
 * Runs work until it is finished, at once and then at each interval.
 * @param parallel maximum number of rounds at the same time. An interval that would exceed it starts none.
 */
function repeat(
  work: () => Promise<{ readonly finished: boolean }>,
  onError: (error: unknown) => void,
  interval: number,
  parallel = 1,
): Sweeper {
  let stopped = false;
  const rounds = new Set<Promise<void>>();

  const runUntilFinished = async (): Promise<void> => {
    try {
      while (!stopped && !(await work()).finished) await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      onError(error);
    }
  };
  const run = (): void => {
    if (rounds.size >= parallel) return;
    const round = runUntilFinished().finally(() => rounds.delete(round));
    rounds.add(round);
  };

  run();
  const timer = setInterval(run, interval);
  timer.unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await Promise.all(rounds);
    },
  };
}
