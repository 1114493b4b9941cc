import type { DataAdapter } from "../../store/contract.ts";
import type { RunCall } from "./database-timeouts.ts";

/**
 * Creates a function that checks whether the schema of the data store fits this version. After a successful check,
 * later calls return at once; after a failed check, the next call checks again. A check that times out fails for its
 * callers, but counts as successful if it completes later, so that a slow data store also becomes ready.
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
