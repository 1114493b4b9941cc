import type { DataAdapter } from "../../store/contract.ts";
import type { RunCall } from "./database-timeouts.ts";

/**
 * Creates a function that checks once whether the data store fits this version. A success is remembered; after a
 * failure the next call checks again. A check that exceeds the timeout fails for its callers but still counts if it
 * succeeds later, so that a slow store becomes ready as well.
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
