import { memoryAdapter } from "@postern/memory";
import { describe, test } from "vitest";
import { adapterCases } from "../src/index.ts";

// One adapter for all cases, as hosts run them.
for (const strict of [false, true]) {
  describe(strict ? "memory, strict" : "memory", () => {
    const adapter = memoryAdapter({ strict });
    for (const { name, run } of adapterCases({ open: () => adapter })) test.concurrent(name, run);
  });
}
