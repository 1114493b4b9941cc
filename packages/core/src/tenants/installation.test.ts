import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createManualClock } from "../adapters/clock.ts";
import { createCache } from "./cache.ts";
import { storesOn } from "./databases/stores.ts";
import { createScopes } from "./installation.ts";

test("a tenant's scope is used again for ten minutes, and expires after that, so that no scope of a deleted tenant stays", () => {
  const clock = createManualClock(0);
  const scope = createScopes(storesOn(createMemoryAdapter().collections), createCache(clock), clock);
  const first = scope("acme");
  clock.advance("9m");
  expect(scope("acme")).toBe(first);
  clock.advance("1m");
  expect(scope("acme")).not.toBe(first);
});
