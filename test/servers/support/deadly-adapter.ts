import type { DataAdapter } from "@postern/core/adapter";
import { aroundWrites, type Moment } from "./around-writes.ts";

/** A {@link DataAdapter} that counts writes, and ends its process at one of them. */
export interface DeadlyAdapter extends DataAdapter {
  /** Starts to count anew. Without a moment it only counts. */
  arm(death: Moment | undefined): void;
  /** Every write since then, as `collection.method`. */
  readonly writes: readonly string[];
}

/** Puts a death in front of any adapter: SIGKILL, which leaves the process no chance to tidy up. */
export function deadlyAdapter(inner: DataAdapter): DeadlyAdapter {
  const writes: string[] = [];
  let death: Moment | undefined;
  const data = aroundWrites(inner, async (name, run) => {
    writes.push(name);
    const isLast = death?.write === writes.length;
    if (isLast && death?.side === "before") process.kill(process.pid, "SIGKILL");
    const result = await run();
    if (isLast) process.kill(process.pid, "SIGKILL");
    return result;
  });
  return {
    ...data,
    writes,
    arm(next) {
      writes.length = 0;
      death = next;
    },
  };
}
