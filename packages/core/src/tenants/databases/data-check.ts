import type { Sealer } from "../../crypto/sealer.ts";
import { isUnavailable, UnavailableError } from "../../store/conflicts.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { checkKeysOfRing, WrongSecretError } from "../key-ring.ts";
import type { RunCall } from "./database-timeouts.ts";

/**
 * Creates a function that checks whether the schema of the data store fits this version, and whether the keys of the
 * ring decrypt their values. After a successful check, later calls return at once; after a failed check, the next call
 * checks again. A check that times out fails for its callers, but counts as successful if it completes later, so that a
 * slow data store also becomes ready. The function throws a {@link WrongSecretError} if the secret is wrong.
 */
export function createDataCheck(data: DataAdapter, sealer: Sealer, runOnFirst: RunCall): () => Promise<void> {
  let [hasSchema, isDone] = [false, false];
  let current: Promise<void> | undefined;
  const check = async (): Promise<void> => {
    if (!hasSchema) await data.check?.();
    hasSchema = true;
    await checkKeysOfRing(data.collections, sealer).catch((error: unknown) => {
      if (error instanceof WrongSecretError || isUnavailable(error)) throw error;
      // The schema is right, so the data store failed.
      throw new UnavailableError(error instanceof Error ? error.message : String(error), { cause: error });
    });
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
