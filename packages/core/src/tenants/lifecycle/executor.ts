import type { Logger } from "../../adapters/logger.ts";
import type { OperationExecutor } from "../../adapters/operation-executor.ts";
import type { RequestInfo } from "../../context.ts";

/** Runs operations. */
export interface Executor {
  /** @param afterResponse starts the work after the response to the current request. */
  submit(operationId: string, afterResponse: RequestInfo["afterResponse"], run: () => Promise<void>): void;
}

/** Maximum number of operations that one process runs at a time. */
const maximumRunning = 2;

/**
 * Creates an {@link Executor} that submits operations to the host application's executor, or runs them in this process
 * if the host application has no executor.
 */
export function createExecutor(host: OperationExecutor | undefined, logger: Logger): Executor {
  const begin = (afterResponse: RequestInfo["afterResponse"], work: () => Promise<void>): void => {
    if (afterResponse === undefined) void work();
    else afterResponse(work);
  };
  if (host !== undefined) {
    return {
      submit(operationId, afterResponse) {
        begin(afterResponse, async () => {
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
    // A finished operation passes its slot to the next waiting operation.
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
    submit(operationId, afterResponse, run) {
      begin(afterResponse, () => runQueued(operationId, run));
    },
  };
}
