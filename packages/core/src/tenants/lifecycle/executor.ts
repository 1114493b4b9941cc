import type { Logger } from "../../adapters/logger.ts";
import type { OperationExecutor } from "../../adapters/operation-executor.ts";
import type { RequestInfo } from "../../context.ts";

/** Has operations done. */
export interface Executor {
  /** @param afterAnswer begins work when the answer to the request at hand is on its way. */
  submit(operationId: string, afterAnswer: RequestInfo["afterAnswer"], run: () => Promise<void>): void;
}

/** Operations that one process does at a time. */
const atOnce = 2;

/** The {@link Executor} of an installation: the host's, or this process itself. */
export function createExecutor(host: OperationExecutor | undefined, logger: Logger): Executor {
  const begin = (afterAnswer: RequestInfo["afterAnswer"], work: () => Promise<void>): void => {
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
  const inTurn = async (operationId: string, run: () => Promise<void>): Promise<void> => {
    // Whoever waits is handed the place of one that is done.
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
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
      begin(afterAnswer, () => inTurn(operationId, run));
    },
  };
}
