import type { DataAdapter } from "@postern/core/adapter";
import { expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { writeNumbers } from "./each-write.ts";
import { sampled } from "./nightly.ts";
import { openStreams } from "./streams.ts";

/** Adds the tests for deliveries that run in parallel or crash, with six tenants and several processes on one store. */
export function testDeliveryRaces(open: () => Promise<DataAdapter>): void {
  test("overlapping calls of four processes with small budgets deliver each event once and in order", async () => {
    const { tenantIds, commit, received, setReceiver, openProcess } = await openStreams(6, { data: await open() });
    const expected = new Map<string, readonly string[]>();
    for (const [i, tenantId] of tenantIds.entries()) expected.set(tenantId, await commit(tenantId, 40 + i * 70));
    setReceiver(() => new Promise((resolve) => setTimeout(resolve, 2)));
    const processes = Array.from({ length: 4 }, () => openProcess());
    for (let rounds = 0; ; rounds++) {
      expect(rounds).toBeLessThan(50);
      const calls = processes.flatMap(({ jobs }) => [jobs.deliverEvents({ budget: 150 }), jobs.deliverEvents({ budget: 150 })]);
      if ((await Promise.all(calls)).every(({ delivered, finished }) => delivered === 0 && finished)) break;
    }
    for (const tenantId of tenantIds) expect(received(tenantId)).toEqual(expected.get(tenantId));
  });

  test("a process that crashes at any write of a delivery loses no event, and delays only the stream of that write", async () => {
    const data = await open();
    const streams = await openStreams(3, { data });
    const { service, tenantIds, commit, received, openProcess } = streams;
    // Each batch leases the stream, stores the delivery, and moves the cursor.
    for (const crashAt of sampled("writes", writeNumbers(9))) {
      let writes = 0;
      const crashing = aroundWrites(data, (_, run) => (++writes === crashAt ? new Promise(() => {}) : run()));
      const expected = new Map<string, readonly string[]>();
      for (const tenantId of tenantIds) expected.set(tenantId, await commit(tenantId, 3));
      // The call never ends, as in a process that crashed. Its timeout rejects a minute later.
      openProcess(crashing)
        .jobs.deliverEvents()
        .catch(() => {});
      await expect.poll(() => writes).toBeGreaterThanOrEqual(9 - 2);
      await service.postern.jobs.deliverEvents();
      const complete = tenantIds.filter((tenantId) => expected.get(tenantId)?.every((id) => received(tenantId).includes(id)));
      expect(complete.length).toBeGreaterThanOrEqual(2);
      service.clock.advance("61s");
      while (!(await service.postern.jobs.deliverEvents()).finished);
      for (const tenantId of tenantIds) expect(received(tenantId)).toEqual(expect.arrayContaining([...(expected.get(tenantId) ?? [])]));
    }
  });
}
