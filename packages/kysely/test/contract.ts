import { adapterCases } from "@postern/adapter-tests";
import { describe, test } from "vitest";
import type { SqlAdapter } from "@postern/kysely";

/** Runs the whole contract on an open adapter. */
export function keepsTheContract(open: () => SqlAdapter, openToClose: () => SqlAdapter | Promise<SqlAdapter>): void {
  describe("the data contract", () => {
    for (const { name, run } of adapterCases({ open, openToClose })) test(name, run);
  });
}
