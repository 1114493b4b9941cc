import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { managerOf, jsonBody } from "../support/api.ts";
import { operationsOf } from "../support/child-tenants.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";

test("another process completes a sync to all tenants if the first process pauses for longer than its lease", async () => {
  let service: TestPostern | undefined;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    // Longer than the lease, as if the machine had been suspended.
    if (name === "roles.insert") service?.clock.advance("61s");
    return run();
  });
  const opened = await createTestPostern({ data });
  const main = await managerOf(opened);
  await main.create("/tenants", { id: "acme", name: "Acme" });
  service = opened;
  await main.create("/api/v2/roles", { name: "Reader" });
  service = undefined;
  const [operation] = await operationsOf(main, "main");
  expect(operation).toMatchObject({ kind: "sync", status: "running" });

  opened.clock.advance("61s");
  await opened.postern.jobs.sweep();
  expect(jsonBody(await main("GET", `/operations/${String(operation?.["id"])}`))).toMatchObject({ status: "succeeded" });
  expect(await data.collections.roles.count({ tenant_id: "acme", name: "Reader" })).toBe(1);
});
