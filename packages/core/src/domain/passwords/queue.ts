import { BusyError } from "../../adapters/hasher.ts";

/** Runs jobs, at most `concurrency` at a time. Those that wait stand in lanes, one a tenant, and the lanes take turns: nobody waits for another tenant's crowd. */
export interface Queue {
  /** @throws {BusyError} when `limit` jobs are waiting already, and this one's lane is as long as any; else the last one of the longest lane has to leave. */
  run<T>(lane: string, job: () => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (reason: BusyError) => void;
}

export function createQueue(concurrency: number, limit: number): Queue {
  // In the order of their turns. A lane without anybody in it is not kept.
  const lanes = new Map<string, Waiting[]>();
  let waiting = 0;
  let running = 0;

  const enter = (lane: string): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      return undefined;
    }
    if (waiting >= limit) makeRoom(lane);
    waiting++;
    return new Promise((start, refuse) => {
      const line = lanes.get(lane);
      if (line === undefined) lanes.set(lane, [{ start, refuse }]);
      else line.push({ start, refuse });
    });
  };

  const makeRoom = (lane: string): void => {
    const busy = new BusyError("too many passwords are waiting to be hashed");
    const [longest, line = []] = [...lanes].reduce<[string, Waiting[]] | []>(
      (found, entry) => ((found[1]?.length ?? 0) < entry[1].length ? entry : found),
      [],
    );
    if (longest === undefined || (lanes.get(lane)?.length ?? 0) >= line.length - 1) throw busy;
    line.pop()?.refuse(busy);
    waiting--;
  };

  /** Hands the place to the next one, so that nobody who comes in between can take it. */
  const leave = (): void => {
    const [turn] = lanes;
    if (turn === undefined) {
      running--;
      return;
    }
    const [lane, line] = turn;
    const next = line.shift();
    lanes.delete(lane);
    if (line.length > 0) lanes.set(lane, line);
    waiting--;
    next?.start();
  };

  return {
    async run(lane, job) {
      await enter(lane);
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
