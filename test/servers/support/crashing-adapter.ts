import type { DataAdapter } from "@postern/core/adapter";
import { aroundWrites, type Moment } from "./around-writes.ts";

/** A {@link DataAdapter} that counts writes and can kill its process at one of them. */
interface CrashingAdapter extends DataAdapter {
  /** Resets the count. With a moment, kills the process at that write. */
  arm(crash: Moment | undefined): void;
  /** Every write since the last `arm`, as `collection.method`. */
  readonly writes: readonly string[];
}

/** Wraps an adapter so that a write can kill the process. Uses SIGKILL, so the process cannot clean up. */
export function crashingAdapter(inner: DataAdapter): CrashingAdapter {
  const writes: string[] = [];
  let crash: Moment | undefined;
  const data = aroundWrites(inner, async (name, run) => {
    writes.push(name);
    const isCrashPoint = crash?.write === writes.length;
    if (isCrashPoint && crash?.side === "before") process.kill(process.pid, "SIGKILL");
    const result = await run();
    if (isCrashPoint) process.kill(process.pid, "SIGKILL");
    return result;
  });
  return {
    ...data,
    writes,
    arm(next) {
      writes.length = 0;
      crash = next;
    },
  };
}
