import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { countingAdapter } from "../support/counting-adapter.ts";
import { openStreams } from "../support/streams.ts";
import { tenantStores } from "../support/tenant-stores.ts";

test("delivers a tenant's first event although another tenant always has more events than the budget", async () => {
  const { service, commit, received } = await openStreams(2);
  for (let round = 0; round < 3; round++) {
    const [id] = await commit("t01", 1);
    await commit("t00", 1200);
    await service.postern.jobs.deliverEvents({ budget: 1000 });
    expect(received("t01").at(-1)).toBe(id);
  }
});

test("delivers the events of others while a receiver is slow, in the same call and in overlapping calls", async () => {
  const { service, commit, received, setReceiver } = await openStreams(3);
  const { promise: response, resolve: respond } = Promise.withResolvers<void>();
  setReceiver(({ tenantId }) => (tenantId === "t00" ? response : Promise.resolve()));
  const slow = await commit("t00", 2100);
  await commit("t01", 1);
  const first = service.postern.jobs.deliverEvents();
  await expect.poll(() => received("t01")).toHaveLength(1);
  const [later] = await commit("t02", 1);
  expect(await service.postern.jobs.deliverEvents()).toMatchObject({ delivered: 1 });
  expect(received("t02")).toEqual([later]);
  expect(received("t00")).toEqual([]);
  respond();
  await first;
  while (!(await service.postern.jobs.deliverEvents()).finished);
  expect(received("t00")).toEqual(slow);
});

test("continues with the streams that waited longest, also in a new process", async () => {
  const { service, tenantIds, commit, deliveries, openProcess } = await openStreams(24);
  for (const tenantId of tenantIds) await commit(tenantId, 250);
  const turns = new Map(tenantIds.map((id) => [id, 0]));
  for (let calls = 1; calls <= 6; calls++) {
    const before = deliveries.length;
    // Each call of a scheduled function may be a new process.
    await openProcess().jobs.deliverEvents({ budget: 400 });
    service.clock.advance("1s");
    for (const { tenantId } of deliveries.slice(before)) turns.set(tenantId, (turns.get(tenantId) ?? 0) + 1);
    const counts = [...turns.values()];
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  }
  expect(Math.min(...turns.values())).toBeGreaterThan(0);
});

test("gives a turn to each tenant-specific database, although the first one has more events than the budget", async () => {
  const stores = tenantStores();
  const { service, tenantIds, commit, received } = await openStreams(
    30,
    { data: createMemoryAdapter({ strict: true }), databaseIsolation: stores.isolation },
    (tenantId) => stores.database(tenantId),
  );
  for (const tenantId of tenantIds) await commit(tenantId, 500);
  for (let calls = 0; calls < 5; calls++) await service.postern.jobs.deliverEvents({ budget: 1000 });
  const counts = tenantIds.map((tenantId) => received(tenantId).length);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(8000);
  for (let calls = 0; !(await service.postern.jobs.deliverEvents()).finished; calls++) expect(calls).toBeLessThan(20);
  for (const tenantId of tenantIds) expect(new Set(received(tenantId)).size).toBe(500);
  expect(stores.misuses).toEqual([]);
});

test("costs one statement for an idle stream, and three for a batch", async () => {
  const data = countingAdapter(createMemoryAdapter({ strict: true }));
  const { service, commit } = await openStreams(60, { data });
  service.clock.advance("5m");
  while (!(await service.postern.jobs.deliverEvents()).finished);
  const idle = await data.costOf(() => service.postern.jobs.deliverEvents());
  const pages = ["log_streams.find", "log_streams.find", "logout_deliveries.find"];
  expect(idle.statements.toSorted()).toEqual([...pages, ...Array.from({ length: 60 }, () => "logs.find"), "sessions.find"]);
  await commit("t07", 1);
  const busy = await data.costOf(() => service.postern.jobs.deliverEvents());
  const batch = ["log_stream_deliveries.insert", "log_streams.update", "log_streams.update"];
  expect(busy.statements.toSorted()).toEqual([...idle.statements, ...batch].toSorted());
});
