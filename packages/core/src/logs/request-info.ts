import type { RequestInfo } from "../context.ts";

/** Begins something when the answer is on its way. It must not reject. */
export function beginAfterAnswer({ afterAnswer }: RequestInfo, work: () => Promise<void>): void {
  if (afterAnswer === undefined) void work();
  else afterAnswer(work);
}
