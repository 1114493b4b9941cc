import { createMemoryAdapter } from "@postern/memory";
import { describe, test } from "vitest";
import { createAdapterCases } from "../src/index.ts";

// One adapter serves all cases, as in the tests of host applications.
for (const strict of [false, true]) {
  describe(strict ? "memory, strict" : "memory", () => {
    const adapter = createMemoryAdapter({ strict });
    for (const { name, run } of createAdapterCases({ open: () => adapter })) test.concurrent(name, run);
  });
}
