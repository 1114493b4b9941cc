import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { work } from "./build.ts";
import type { LoadOrder, LoadResult } from "./load.ts";

/** The load generator, in a separate process. */
export interface LoadProcess {
  /** Runs one load and returns its result. Call it again only after that. */
  run(order: LoadOrder): Promise<LoadResult>;
  stop(): void;
}

/** Starts the load generator from its bundle, `lib/load.mjs`. Ends the benchmark if the load generator exits. */
export function startLoad(): LoadProcess {
  const child = fork(join(work, "lib/load.mjs"), { serialization: "advanced" });
  let finished = false;
  child.on("exit", () => {
    if (!finished) throw new Error("the load generator exited");
  });
  return {
    async run(order) {
      child.send(order);
      const [result] = (await once(child, "message")) as [LoadResult];
      return result;
    },
    stop() {
      finished = true;
      child.disconnect();
    },
  };
}
