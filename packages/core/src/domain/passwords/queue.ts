import { BusyError } from "../../adapters/hasher.ts";

/** Runs jobs, at most `concurrency` at a time, the others in the order they came. */
export interface Queue {
  /** @throws {BusyError} when `limit` jobs are waiting already. */
  run<T>(job: () => Promise<T>): Promise<T>;
}

export function createQueue(concurrency: number, limit: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;

  const start = (): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      return undefined;
    }
    if (waiting.length >= limit) throw new BusyError("too many passwords are waiting to be hashed");
    return new Promise((resolve) => waiting.push(resolve));
  };

  /** Hands the place to the next one in line, so that nobody who comes in between can take it. */
  const finish = (): void => {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  };

  return {
    async run(job) {
      await start();
      try {
        return await job();
      } finally {
        finish();
      }
    },
  };
}
