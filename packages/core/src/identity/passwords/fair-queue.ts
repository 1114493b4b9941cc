import { BusyError } from "../../adapters/hasher.ts";

/**
 * Runs jobs, at most `concurrency` at a time. Jobs wait in lanes, one lane per tenant. Lanes share the queue by the
 * cost of their jobs (start-time fair queueing, Goyal et al. 1996): the next job comes from the lane with the lowest
 * virtual time, which increases by the cost of each job. A lane that was idle goes before every lane that has just run
 * a job. Its first job therefore waits at most for the jobs that are running.
 */
interface FairQueue {
  /**
   * @param lane the tenant.
   * @param cost the work that the job causes, as a positive number. All jobs in the queue must use the same unit.
   * @throws {BusyError} if `limit` jobs are waiting and no other lane has more waiting work. If another lane has more,
   * the last job in the lane with the most waiting work is rejected with this error instead.
   */
  run<T>(lane: string, cost: number, job: () => Promise<T>): Promise<T>;
  /** The number of running jobs. */
  readonly active: number;
  /** The number of waiting jobs. */
  readonly waiting: number;
}

interface WaitingJob {
  readonly cost: number;
  readonly start: () => void;
  readonly reject: (reason: BusyError) => void;
}

interface Lane {
  readonly waiting: WaitingJob[];
  /** The summed cost of `waiting`. */
  waitingCost: number;
  /**
   * The virtual time after the jobs that this lane has started: the start of the first job plus the cost of all jobs.
   */
  paidUntil: number;
}

/**
 * Creates a queue.
 * @param limit how many jobs may wait.
 * @param busy the message for the {@link BusyError}.
 */
export function createFairQueue(concurrency: number, limit: number, busy: string): FairQueue {
  // In the order in which the lanes became busy. If two lanes have the same virtual time, the first one in this order
  // runs.
  const lanes = new Map<string, Lane>();
  let waiting = 0;
  let running = 0;
  /** The current virtual time: the virtual time at which the newest running job started. */
  let now = 0;

  const laneOf = (name: string): Lane => {
    const known = lanes.get(name);
    if (known !== undefined) return known;
    const lane: Lane = { waiting: [], waitingCost: 0, paidUntil: now };
    lanes.set(name, lane);
    return lane;
  };

  const startOf = (lane: Lane): number => Math.max(lane.paidUntil, now);

  const charge = (lane: Lane, cost: number): void => {
    now = startOf(lane);
    lane.paidUntil = now + cost;
  };

  const enter = (name: string, cost: number): Promise<void> | undefined => {
    if (running < concurrency) {
      running++;
      charge(laneOf(name), cost);
      return undefined;
    }
    if (waiting >= limit) makeRoom(name, cost);
    const lane = laneOf(name);
    // A lane that was idle gets no credit for the idle time.
    if (lane.waiting.length === 0) lane.paidUntil = startOf(lane);
    return new Promise((start, reject) => {
      lane.waiting.push({ cost, start, reject });
      lane.waitingCost += cost;
      waiting++;
    });
  };

  const makeRoom = (name: string, cost: number): void => {
    let heaviest: Lane | undefined;
    for (const lane of lanes.values()) if (lane.waitingCost > (heaviest?.waitingCost ?? 0)) heaviest = lane;
    const last = heaviest?.waiting.at(-1);
    const own = lanes.get(name)?.waitingCost ?? 0;
    if (heaviest === undefined || last === undefined || own + cost > heaviest.waitingCost - last.cost) throw new BusyError(busy);
    heaviest.waiting.pop();
    heaviest.waitingCost -= last.cost;
    waiting--;
    last.reject(new BusyError(busy));
  };

  /**
   * Starts the next waiting job in the slot of a job that has ended, so that a job that arrives now cannot take the
   * slot.
   */
  const leave = (): void => {
    let next: Lane | undefined;
    for (const lane of lanes.values()) {
      if (lane.waiting.length > 0 && (next === undefined || lane.paidUntil < next.paidUntil)) next = lane;
    }
    const job = next?.waiting.shift();
    if (next === undefined || job === undefined) running--;
    else {
      next.waitingCost -= job.cost;
      waiting--;
      charge(next, job.cost);
      job.start();
    }
    for (const [name, lane] of lanes) {
      if (lane.waiting.length === 0 && (lane.paidUntil <= now || running === 0)) lanes.delete(name);
    }
    if (lanes.size === 0) now = 0;
  };

  return {
    get active() {
      return running;
    },
    get waiting() {
      return waiting;
    },
    async run(lane, cost, job) {
      await enter(lane, cost);
      try {
        return await job();
      } finally {
        leave();
      }
    },
  };
}
