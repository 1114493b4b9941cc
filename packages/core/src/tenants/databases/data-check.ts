import type { DataAdapter } from "../../store/contract.ts";
import type { RunCall } from "./database-timeouts.ts";

/**
 * Makes a function that compares the data store with what this version needs, once: a success is remembered, and after a failure the next call compares again.
 * A comparison that takes longer than the timeout fails for its callers, and still counts if it succeeds later: a slow store becomes ready as well.
 */
export function createDataCheck(data: DataAdapter, runOnFirst: RunCall): () => Promise<void> {
  let isDone = data.check === undefined;
  let current: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    await data.check?.();
    isDone = true;
  };
  return async () => {
    if (isDone) return;
    const running = (current ??= runOnFirst(check));
    try {
      await running;
    } finally {
      if (current === running) current = undefined;
    }
  };
}
