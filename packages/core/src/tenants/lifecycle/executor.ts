import type { Logger } from "../../adapters/logger.ts";
import type { OperationExecutor } from "../../adapters/operation-executor.ts";
import type { RequestInfo } from "../../context.ts";

/** Runs operations. */
export interface Executor {
  /** @param afterAnswer starts the work after the response to the current request. */
  submit(operationId: string, afterAnswer: RequestInfo["afterResponse"], run: () => Promise<void>): void;
}

/** Maximum number of operations that one process runs at a time. */
const maximumRunning = 2;

/** Creates the {@link Executor} of an installation: the host application's, or this process itself. */
export function createExecutor(host: OperationExecutor | undefined, logger: Logger): Executor {
  const begin = (afterAnswer: RequestInfo["afterResponse"], work: () => Promise<void>): void => {
    if (afterAnswer === undefined) void work();
    else afterAnswer(work);
  };
  if (host !== undefined) {
    return {
      submit(operationId, afterAnswer) {
        begin(afterAnswer, async () => {
          try {
            await host.submit(operationId);
          } catch (error) {
            logger.log({ level: "error", event: "operation_not_submitted", operation_id: operationId, error });
          }
        });
      },
    };
  }
  let running = 0;
  const waiting: (() => void)[] = [];
  const runQueued = async (operationId: string, run: () => Promise<void>): Promise<void> => {
    // A finished operation passes its slot to the next one that waits.
    if (running >= maximumRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      await run();
    } catch (error) {
      logger.log({ level: "error", event: "operation_not_done", operation_id: operationId, error });
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
  return {
    submit(operationId, afterAnswer, run) {
      begin(afterAnswer, () => runQueued(operationId, run));
    },
  };
}
