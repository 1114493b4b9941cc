import type { Collection } from "@postern/core/adapter";
import { createManualClock } from "@postern/core/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { writeNumbers } from "../support/each-write.ts";
import { noticeOf, openNoticeProcess, openNotices, type QueuedNotice, type Received } from "./invented-queue.ts";

const start = Date.UTC(2026, 0, 1);

let clock: ReturnType<typeof createManualClock>;
let notices: Collection<QueuedNotice>;
/** The requests that reached a destination, with the response status. */
let requests: (Received & { readonly status: number })[];
/** Responds for a destination. */
let respond: (received: Received, signal: AbortSignal) => Promise<number>;

beforeEach(() => {
  clock = createManualClock(start);
  notices = openNotices();
  requests = [];
  respond = async () => 200;
});

const open = (records = notices): ReturnType<typeof openNoticeProcess> =>
  openNoticeProcess(records, clock, async (received, signal) => {
    const status = await respond(received, signal);
    requests.push({ ...received, status });
    return status;
  });

const add = async (...members: Parameters<typeof noticeOf>[0][]): Promise<void> => {
  expect(await notices.insert(members.map(noticeOf))).toBe(true);
};

const left = (): Promise<number> => notices.count({ state: "open" });

const one: Pick<QueuedNotice, "id" | "tenant_id" | "destination"> = { id: "n1", tenant_id: "a", destination: "app" };

describe("a delivery that fails", () => {
  test("is repeated after 10 s, 1, 5, 30 min and 2 h, with content that is made for each attempt, and then given up", async () => {
    await add(one);
    respond = async () => 503;
    const process = open();
    for (const pause of [0, 10_000, 60_000, 300_000, 1_800_000, 7_200_000]) {
      if (pause > 0) {
        clock.advance(pause - 1);
        expect(await process.deliver()).toMatchObject({ delivered: 0, failed: 0 });
        clock.advance(1);
      }
      expect(await left()).toBe(1);
      expect(await process.deliver()).toMatchObject({ delivered: 0, failed: 1, finished: true });
    }
    expect(await left()).toBe(0);
    const times = [0, 10, 70, 370, 2170, 9370].map((seconds) => start + seconds * 1000);
    expect(requests.map(({ issuedAt }) => issuedAt)).toEqual(times);
  });

  test("is not repeated if the destination responded with 400", async () => {
    await add(one);
    respond = async () => 400;
    expect(await open().deliver()).toMatchObject({ failed: 1 });
    expect(await left()).toBe(0);
  });

  test("holds up no other item of the same destination, because the queue has no order", async () => {
    await add(one, { ...one, id: "n2" }, { ...one, id: "n3" });
    respond = async ({ id }) => (id === "n1" ? 503 : 200);
    expect(await open().deliver()).toMatchObject({ delivered: 2, failed: 1 });
    expect(await left()).toBe(1);
    respond = async () => 200;
    clock.advance("10s");
    expect(await open().deliver()).toMatchObject({ delivered: 1 });
    expect(await left()).toBe(0);
  });
});

describe("an item that expires", () => {
  test("is removed without another attempt", async () => {
    await add({ ...one, expires_at: start + 5000 });
    clock.advance("5s");
    expect(await open().deliver()).toMatchObject({ delivered: 0, failed: 0 });
    expect(requests).toEqual([]);
    expect(await left()).toBe(0);
  });

  test("is given up at a failure if its next attempt would be too late", async () => {
    await add({ ...one, expires_at: start + 10_000 }, { ...one, id: "n2", expires_at: start + 10_001 });
    respond = async () => 503;
    expect(await open().deliver()).toMatchObject({ failed: 2 });
    expect(await notices.find({ where: { state: "open" }, limit: 10 })).toMatchObject([{ id: "n2", failures: 1 }]);
  });
});

describe("destinations and tenants", () => {
  test("destinations that do not respond delay no other, and their items are retried after the deadline", async () => {
    const others = Array.from({ length: 30 }, (_, i) => ({ id: `o${i}`, tenant_id: i % 2 === 0 ? "a" : "b", destination: `other${i}` }));
    const hanging = Array.from({ length: 20 }, (_, i) => ({ id: `h${i}`, tenant_id: "a", destination: `hanging${i % 5}` }));
    await add(...hanging, ...others);
    const aborted: string[] = [];
    respond = ({ destination, id }, signal) =>
      destination.startsWith("hanging")
        ? new Promise((_, reject) => {
            signal.addEventListener("abort", () => {
              aborted.push(id);
              reject(new Error("aborted"));
            });
          })
        : Promise.resolve(200);
    const call = open().deliver();
    await expect.poll(() => requests.length).toBe(30);
    expect(aborted).toEqual([]);
    expect(await call).toMatchObject({ delivered: 30, failed: 20, finished: true });
    expect(aborted).toHaveLength(20);
    expect(await notices.find({ where: { state: "open" }, limit: 1 })).toMatchObject([
      { failures: 1, next_at: start + 10_000, last_error: expect.stringContaining("did not answer within 10000 ms") },
    ]);
  });

  test("a tenant with more items than the budget of a call delays no other tenant", async () => {
    const flood = Array.from({ length: 200 }, (_, i) => ({ id: `f${i}`, tenant_id: "a", destination: `a${i % 2}` }));
    const others = Array.from({ length: 8 }, (_, i) => ({ id: `o${i}`, tenant_id: `t${i}`, destination: `z${i}` }));
    await add(...flood, ...others);
    expect(await open().deliver(20)).toMatchObject({ finished: false });
    expect(requests.filter(({ destination }) => destination.startsWith("z"))).toHaveLength(8);
  });

  test("a call continues with the destinations that the previous one did not reach", async () => {
    const items = Array.from({ length: 12 }, (_, i) =>
      Array.from({ length: 20 }, (__, j) => ({ id: `i${i}-${j}`, tenant_id: `t${i}`, destination: `d${String(i).padStart(2, "0")}` })),
    );
    await add(...items.flat());
    const process = open();
    for (let calls = 0; calls < 4; calls++) await process.deliver(15);
    expect(new Set(requests.map(({ destination }) => destination)).size).toBe(12);
  });
});

/** Wraps the writes of a collection. `around` may never resolve, as in a process that crashed. */
function aroundNoticeWrites(inner: Collection<QueuedNotice>, around: <T>(run: () => Promise<T>) => Promise<T>): Collection<QueuedNotice> {
  return {
    ...inner,
    update: (where, change) => around(() => inner.update(where, change)),
    delete: (where) => around(() => inner.delete(where)),
  };
}

describe("several processes", () => {
  const items = Array.from({ length: 24 }, (_, i) => ({ id: `n${i}`, tenant_id: `t${i % 3}`, destination: `d${i % 4}` }));

  test("two processes with overlapping calls deliver each item once", async () => {
    await add(...items);
    respond = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      return 200;
    };
    const processes = [open(), open()];
    for (let rounds = 0; (await left()) > 0; rounds++) {
      expect(rounds).toBeLessThan(20);
      await Promise.all(processes.flatMap((process) => [process.deliver(10), process.deliver(10)]));
    }
    expect(requests.map(({ id }) => id).toSorted()).toEqual(items.map(({ id }) => id).toSorted());
  });

  describe.each(["before", "after"] as const)("a process that crashes %s a write", (side) => {
    // Each of the three items is leased and deleted.
    test.each(writeNumbers(6))("loses no item and delays only items that it leased (write %i)", async (crashAt) => {
      const [first, second, third] = items;
      if (first === undefined || second === undefined || third === undefined) throw new Error("too few items");
      await add(first, second, third);
      let writes = 0;
      const crashing = aroundNoticeWrites(notices, async (run) => {
        if (++writes < crashAt) return run();
        if (writes === crashAt && side === "after") await run();
        return new Promise(() => {});
      });
      // The call never ends.
      void open(crashing).deliver();
      await expect.poll(() => writes).toBeGreaterThanOrEqual(crashAt);
      const leased = await notices.count({ state: "open", leased_until: { gt: clock.now() } });
      await open().deliver();
      expect(await left()).toBe(leased);
      clock.advance("60s");
      await open().deliver();
      expect(await left()).toBe(0);
      const received = requests.map(({ id }) => id);
      expect(new Set(received)).toEqual(new Set(["n0", "n1", "n2"]));
      // Only an item whose result was not stored is delivered again.
      expect(received.length).toBeLessThanOrEqual(3 + leased);
    });
  });
});
