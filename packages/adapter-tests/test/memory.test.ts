import { createMemoryAdapter } from "@postern/memory";
import { describe, test } from "vitest";
import { createAdapterCases } from "../src/index.ts";

// One adapter for all cases, as host applications run them.
for (const strict of [false, true]) {
  describe(strict ? "memory, strict" : "memory", () => {
    const adapter = createMemoryAdapter({ strict });
    for (const { name, run } of createAdapterCases({ open: () => adapter })) test.concurrent(name, run);
  });
}
