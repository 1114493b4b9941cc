import type { DataAdapter } from "@postern/core/adapter";
import { aroundWrites, type Moment } from "./around-writes.ts";

/** A {@link DataAdapter} that holds a request back at one of its writes. */
export interface PausingAdapter extends DataAdapter {
  /** Runs `request`, and `meanwhile` when it has come to that moment; it goes on when `meanwhile` is done. @returns what both came to. */
  interleave<First, Second>(at: Moment, request: () => Promise<First>, meanwhile: () => Promise<Second>): Promise<readonly [First, Second]>;
  /** What `request` writes, as `collection.method`. */
  writesOf(request: () => Promise<unknown>): Promise<readonly string[]>;
}

/** Puts a pause in front of any adapter. */
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
    async interleave(at, request, meanwhile) {
      let second: ReturnType<typeof meanwhile> | undefined;
      writes.length = 0;
      pause = {
        at,
        wait: async () => {
          pause = undefined;
          second = meanwhile();
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
