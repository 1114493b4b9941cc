import type { Logger, Postern } from "@postern/core";

/** Removes what has expired, again and again. */
export interface Sweeper {
  /** Begins nothing new, and waits for what is being removed. */
  stop(): Promise<void>;
}

const tenMinutes = 600_000;
/** Rows at a time, so that requests get their turn in between. */
const budget = 1000;

/** Sweeps at once, and then every ten minutes. It does not keep the process alive. */
export function startSweeping(postern: Pick<Postern, "sweep">, logger: Logger, interval = tenMinutes): Sweeper {
  let stopped = false;
  let running: Promise<void> | undefined;

  const sweep = async (): Promise<void> => {
    try {
      while (!stopped && !(await postern.sweep({ budget })).finished) await new Promise((resolve) => setImmediate(resolve));
    } catch (error) {
      logger.log({ level: "warn", event: "sweep_failed", text: "Removing what has expired failed; it goes on next time.", error });
    }
  };
  const begin = (): void => {
    running ??= sweep().finally(() => (running = undefined));
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
