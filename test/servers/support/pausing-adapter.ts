import type { DataAdapter } from "@postern/core/adapter";
import { aroundWrites, type Moment } from "./around-writes.ts";

/** A {@link DataAdapter} that can pause a request at one of its writes. */
export interface PausingAdapter extends DataAdapter {
  /**
   * Runs `request` up to the given moment, then runs `other` to its end, then lets `request` continue.
   * @returns both results
   */
  interleave<First, Second>(at: Moment, request: () => Promise<First>, other: () => Promise<Second>): Promise<readonly [First, Second]>;
  /** Runs `request`. @returns its writes, as `collection.method`. */
  writesOf(request: () => Promise<unknown>): Promise<readonly string[]>;
}

/** Wraps an adapter so that a write can pause. */
export function pausingAdapter(inner: DataAdapter): PausingAdapter {
  const writes: string[] = [];
  let pause: { readonly at: Moment; readonly wait: () => Promise<void> } | undefined;
  const data = aroundWrites(inner, async (name, run) => {
    writes.push(name);
    const held = pause?.at.write === writes.length ? pause : undefined;
    if (held?.at.side === "before") await held.wait();
    const result = await run();
    if (held?.at.side === "after") await held.wait();
    return result;
  });
  return {
    ...data,
    async interleave(at, request, other) {
      let second: ReturnType<typeof other> | undefined;
      writes.length = 0;
      pause = {
        at,
        wait: async () => {
          pause = undefined;
          second = other();
          await second;
        },
      };
      const first = await request();
      if (second === undefined) throw new Error(`the request has no write ${at.write}`);
      return [first, await second];
    },
    async writesOf(request) {
      writes.length = 0;
      await request();
      return [...writes];
    },
  };
}
