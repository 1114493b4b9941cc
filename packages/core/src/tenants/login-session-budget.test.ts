import { expect, test } from "vitest";
import { createManualClock } from "../adapters/clock.ts";
import { createLoginSessionBudget } from "./login-session-budget.ts";

test("allows login sessions without an IP address sixteen times the limit for one IP address, and drops the oldest in batches", () => {
  const maximumBytes = 64 * 1024;
  const bytes = 1000;
  const budget = createLoginSessionBudget(maximumBytes, createManualClock(0));
  const stored: string[] = [];
  let removals = 0;
  for (let i = 0; i < 5000; i++) {
    const id = String(i).padStart(5, "0");
    const last = budget.keep("main", id, bytes - 512);
    if (last !== undefined) {
      removals++;
      stored.splice(0, stored.indexOf(last) + 1);
    }
    stored.push(id);
    expect(stored.length * bytes).toBeLessThanOrEqual(16 * maximumBytes);
  }
  expect(stored.length * bytes).toBeGreaterThan(0.95 * 16 * maximumBytes);
  expect(removals).toBeLessThan(5000 / 4);
  expect(budget.keep("other", "1", bytes)).toBeUndefined();
});
