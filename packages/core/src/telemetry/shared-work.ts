import type { RecordedSpan } from "./spans.ts";
import type { Telemetry } from "./telemetry.ts";

/** Work in progress whose result several requests wait for, such as a setting that is read for the cache. */
export interface SharedWork<T> {
  readonly result: Promise<T>;
  /** Adds the request that runs now to those that share the work. @returns the result. */
  join(): Promise<T>;
}

/**
 * Starts work that parallel requests share. It belongs to none of them: its span has no parent, and links to the active
 * span of each request that starts or joins it before it ends.
 * @param name the name of the span.
 */
export function shareWork<T>(telemetry: Telemetry | undefined, name: string, work: () => Promise<T>): SharedWork<T> {
  if (telemetry === undefined) {
    const result = work();
    return { result, join: () => result };
  }
  let running: RecordedSpan | undefined;
  const result = telemetry.observe({ name, sharedBy: [telemetry.activeSpan()] }, async (span) => {
    running = span;
    try {
      return await work();
    } finally {
      running = undefined;
    }
  });
  return {
    result,
    join() {
      running?.link(telemetry.activeSpan());
      return result;
    },
  };
}
