import { openSync, readFileSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** A time in which the event loop of a process did not reach its timers. All lengths are in milliseconds. */
export interface Stall {
  /** When the stall ended, in milliseconds since 1970. */
  readonly at: number;
  readonly length: number;
  /** The part of the stall in which the event loop had nothing to do, and the system woke it late. */
  readonly idle: number;
  /** The part of the stall in which the main thread waited for a core. */
  readonly waited: number;
  /** The CPU time of the main thread in the stall. */
  readonly cpu: number;
  /**
   * The time in which the host of a virtual machine gave a core to another machine, in the stall and up to a second
   * before.
   */
  readonly stolen: number;
  /** The requests and jobs that the process was running. */
  readonly running: readonly string[];
}

/** Returns the CPU time of the main thread in milliseconds. Call it on the main thread. */
export function cpuOfMainThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Measures how long the event loop of this process does not run. */
export interface StallRecorder {
  /** Returns the stalls since the last call, and clears the list. */
  take(): Stall[];
}

/** Milliseconds between two ticks. */
const interval = 5;

/** Returns the time that the host of a virtual machine has taken from its cores, in milliseconds. */
function stolenFromMachine(): number {
  const [, ...times] = readFileSync("/proc/stat", "latin1").split("\n", 1)[0]?.split(/ +/) ?? [];
  // Linux counts hundredths of a second.
  return Number(times[7]) * 10;
}

/**
 * Starts to measure. A tick that is late shows a stall. `monitorEventLoopDelay` would report only its length: this
 * recorder also reports what ran, and whether the thread waited for a core, because other programs may use all cores. Linux
 * counts that time per thread.
 * @param shortest the shortest stall that is recorded, in milliseconds.
 */
export function recordStalls(shortest: number, running: () => readonly string[] = () => []): StallRecorder {
  const schedule = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const buffer = Buffer.alloc(64);
  /** Returns the time in which the main thread was ready to run and had no core, in milliseconds. */
  const waitedForCore = (): number => {
    const [, waited] = buffer.toString("latin1", 0, readSync(schedule, buffer, 0, buffer.length, 0)).split(" ");
    return Number(waited) / 1e6;
  };
  const read = () => {
    const { idle } = performance.eventLoopUtilization();
    return { time: performance.now(), idle, waited: waitedForCore(), cpu: cpuOfMainThread() };
  };
  let stalls: Stall[] = [];
  let last = read();
  let stolen = { time: last.time, total: stolenFromMachine() };
  setInterval(() => {
    const now = read();
    const length = now.time - last.time;
    const before = stolen.total;
    if (length >= shortest || now.time - stolen.time > 1000) stolen = { time: now.time, total: stolenFromMachine() };
    if (length >= shortest) {
      const parts = {
        idle: now.idle - last.idle,
        waited: now.waited - last.waited,
        cpu: now.cpu - last.cpu,
        stolen: stolen.total - before,
      };
      stalls.push({ at: Date.now(), length, ...parts, running: running() });
    }
    last = now;
  }, interval).unref();
  return {
    take() {
      const taken = stalls;
      stalls = [];
      last = read();
      return taken;
    },
  };
}

/**
 * Returns the part of a stall that the process itself caused, in milliseconds. Excludes time in which the process was
 * idle or waited for a core, or the host took the core away. The result is at most the main thread's CPU time: a server
 * on PostgreSQL does no blocking I/O, so the rest is time in which the main thread waited for another thread without a
 * core, for example during garbage collection.
 */
export function ownPart({ length, idle, waited, stolen, cpu }: Stall): number {
  // A thread that wakes late was idle and also waited for a core.
  return Math.max(0, Math.min(length - Math.max(idle, waited) - stolen, cpu));
}
