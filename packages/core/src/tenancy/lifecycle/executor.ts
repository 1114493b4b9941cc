import type { Logger } from "../../adapters/logger.ts";
import type { OperationExecutor } from "../../adapters/operation-executor.ts";
import type { RequestInfo } from "../../domain/request-info.ts";

/** Has operations done. */
export interface Executor {
  /** @param afterAnswer begins work when the answer to the request at hand is on its way. */
  submit(operationId: string, afterAnswer: RequestInfo["afterAnswer"], run: () => Promise<void>): void;
}

/** Operations that one process does at a time. */
const atOnce = 2;

/** The {@link Executor} of an installation: the host's, or this process itself. */
export function createExecutor(host: OperationExecutor | undefined, logger: Logger): Executor {
  const failed = (error: unknown): void => logger.log({ level: "error", event: "operation_not_submitted", error });
  if (host !== undefined) {
    return {
      submit(operationId) {
        const hand = async (): Promise<void> => host.submit(operationId);
        void hand().catch(failed);
      },
    };
  }
  let running = 0;
  const waiting: (() => void)[] = [];
  const inTurn = async (run: () => Promise<void>): Promise<void> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      await run();
    } catch (error) {
      failed(error);
    } finally {
      running--;
      waiting.shift()?.();
    }
  };
  return {
    submit(_, afterAnswer, run) {
      if (afterAnswer === undefined) void inTurn(run);
      else afterAnswer(() => inTurn(run));
    },
  };
}
