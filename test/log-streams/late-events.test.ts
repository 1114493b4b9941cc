import { createPostern, type LogDelivery } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createSqliteAdapter } from "@postern/kysely";
import { createMemoryAdapter } from "@postern/memory";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { firstUlidAt } from "../../packages/core/src/store/ulid.ts";
import { countingAdapter } from "../support/counting-adapter.ts";
import { clientSecret, createTestPostern, issuer, managementAudience, type TestOptions } from "../support/postern.ts";
import { stringMember } from "../support/api.ts";

const secret = "0123456789abcdef0123456789abcdef";

/** A service with one log stream, and the log ids that the stream's sink received, in order. */
async function open(options: TestOptions = {}) {
  const received: string[] = [];
  const deliveries: LogDelivery[] = [];
  let failing = false;
  const logSinks = {
    bus: {
      deliver: async (delivery: LogDelivery) => {
        if (failing) throw new Error("the bus is down");
        deliveries.push(delivery);
        received.push(...delivery.events.map(({ log_id: id }) => id));
      },
    },
  };
  const service = await createTestPostern({ ...options, logSinks, logger: { log: () => {} } });
  const { postern, clock, data } = service;
  const token = await service.token("main");
  const stream = await service.call("POST", "/api/v2/log-streams", { token, body: { type: "bus", sink: {} } });
  const streamId = stringMember(stream.body as { id: string }, "id");
  let number = 0;
  /** Stores an audit event with the given date, as another process or transaction does that commits now. */
  const commit = async (date: number, type = "s"): Promise<string> => {
    const [row] = await data.collections.logs.find({ where: { tenant_id: "main" }, limit: 1 });
    if (row === undefined) throw new Error("the log is empty");
    const id = firstUlidAt(date) + String(++number).padStart(16, "0");
    await data.collections.logs.insert([{ ...row, log_id: id, date, type }]);
    return id;
  };
  clock.advance("10s");
  await postern.jobs.deliverEvents();
  received.length = 0;
  deliveries.length = 0;
  return {
    ...service,
    received,
    deliveries,
    streamId,
    commit,
    logSinks,
    setFailing: (next: boolean) => void (failing = next),
    records: () => data.collections.log_stream_deliveries.find({ where: { tenant_id: "main" }, limit: 1000 }),
    /** Delivers `seconds` later. @returns the ids that arrived. */
    deliver: async (seconds = 5): Promise<readonly string[]> => {
      clock.advance(seconds * 1000);
      const before = received.length;
      while (!(await postern.jobs.deliverEvents()).finished);
      return received.slice(before);
    },
  };
}

async function sqlite(): Promise<DataAdapter> {
  const data = createSqliteAdapter({ database: new DatabaseSync(":memory:") });
  await data.migrate();
  return data;
}

describe.each([
  ["memory", async () => createMemoryAdapter({ strict: true })],
  ["SQLite", sqlite],
])("a log stream on %s", (_, makeData) => {
  test("delivers an event whose transaction commits up to a minute after its date, once", async () => {
    const { clock, commit, deliver } = await open({ data: await makeData() });
    const onTime = await commit(clock.now());
    expect(await deliver()).toEqual([onTime]);
    const late = await commit(clock.now() - 58_000);
    const latest = await commit(clock.now() - 5000);
    expect(await deliver()).toEqual([late, latest]);
    for (let calls = 0; calls < 40; calls++) expect(await deliver()).toEqual([]);
  });

  test("delivers events of a process whose clock is 10 or 59 seconds behind, each once", async () => {
    const data = await makeData();
    const { clock, deliver, logSinks, postern } = await open({ data });
    const ids = async (): Promise<readonly string[]> => {
      const rows = await data.collections.logs.find({ where: { tenant_id: "main" }, limit: 1000 });
      return rows.map(({ log_id: id }) => id);
    };
    // The log goes back more than a minute before the first event of the slow process.
    await deliver(70);
    const before = new Set(await ids());
    const all: string[] = [];
    for (const behind of [10_000, 59_000]) {
      const slow = createPostern({
        issuer,
        data,
        crypto: { secret, signingAlgorithm: "ES256" },
        defaultTenantId: "main",
        controlPlane: { tenantId: "main" },
        testing: { clock: { now: () => clock.now() - behind } },
        logSinks,
        logger: { log: () => {} },
      });
      for (let round = 0; round < 20; round++) {
        for (const process of [slow, postern]) expect((await process.fetch(tokenRequest())).status).toBe(200);
        all.push(...(await deliver()));
        // The process whose clock is behind delivers as well.
        await slow.jobs.deliverEvents();
      }
    }
    all.push(...(await deliver(70)));
    const expected = (await ids()).filter((id) => !before.has(id));
    expect(expected).toHaveLength(80);
    expect(all.toSorted()).toEqual(expected.toSorted());
  });
});

describe("a log stream", () => {
  test("delivers an event that is committed after the last delivered event but has the same millisecond", async () => {
    const { clock, commit, deliver } = await open();
    const now = clock.now();
    const first = await commit(now, "zz_first");
    expect(await deliver()).toEqual([first]);
    const twins = [await commit(now), await commit(now)];
    expect((await deliver()).toSorted()).toEqual(twins);
    expect(await deliver(120)).toEqual([]);
  });

  test("delivers nothing again after a restart, by parallel processes, or after it was paused for days", async () => {
    const { clock, commit, deliver, received, data, logSinks, call, token, streamId } = await open();
    const expected: string[] = [];
    for (let events = 0; events < 250; events++) expected.push(await commit(clock.now() + events * 100));
    expect(await deliver(30)).toEqual(expected);
    const processes = Array.from({ length: 8 }, () =>
      createPostern({
        issuer,
        data,
        crypto: { secret, signingAlgorithm: "ES256" },
        testing: { clock },
        logSinks,
        logger: { log: () => {} },
      }),
    );
    received.length = 0;
    const late = await commit(clock.now() - 20_000);
    await Promise.all(processes.map((process) => process.jobs.deliverEvents()));
    expect(received).toEqual([late]);
    const status = async (next: string) =>
      call("PATCH", `/api/v2/log-streams/${streamId}`, { token: await token("main"), body: { status: next } });
    await status("paused");
    received.length = 0;
    clock.advance("5d");
    await status("active");
    await deliver();
    expect(received.filter((id) => expected.includes(id) || id === late)).toEqual([]);
  });

  test("that failed for hours delivers everything in order when it works again, and each event once", async () => {
    const { clock, commit, deliver, received, setFailing } = await open();
    setFailing(true);
    const expected: string[] = [];
    for (let minutes = 0; minutes < 180; minutes++) {
      for (let events = 0; events < 3; events++) expected.push(await commit(clock.now() + events));
      await deliver(60);
    }
    setFailing(false);
    clock.advance("1h");
    await deliver();
    for (let calls = 0; calls < 30; calls++) await deliver();
    expect(received).toEqual(expected);
  });

  test("that is new delivers no event that was committed before it, and every one that is committed later", async () => {
    const { clock, commit, call, token, deliveries, deliver } = await open();
    const before = [await commit(clock.now() - 1000), await commit(clock.now() - 40_000)];
    const stream = await call("POST", "/api/v2/log-streams", { token: await token("main"), body: { type: "bus", sink: {} } });
    const id = stringMember(stream.body as { id: string }, "id");
    const after = await commit(clock.now() - 30_000);
    await deliver();
    const got = deliveries.filter(({ streamId }) => streamId === id).flatMap(({ events }) => events.map(({ log_id: logId }) => logId));
    expect(got.filter((logId) => before.includes(logId))).toEqual([]);
    expect(got.filter((logId) => logId === after)).toHaveLength(1);
  });

  test("delivers events again if the process that delivered them stopped before it stored the delivery", async () => {
    const data = createMemoryAdapter({ strict: true });
    const { log_stream_deliveries: records } = data.collections;
    let crashes = false;
    const crashing: DataAdapter = {
      ...data,
      collections: {
        ...data.collections,
        log_stream_deliveries: {
          ...records,
          find: (query) => records.find(query),
          count: (where) => records.count(where),
          update: (where, change) => records.update(where, change),
          delete: (where) => records.delete(where),
          insert: async (rows) => {
            if (crashes) throw new Error("the process stops here");
            return records.insert(rows);
          },
        },
      },
    };
    const { clock, commit, deliver, postern, received, deliveries } = await open({ data: crashing });
    const id = await commit(clock.now());
    crashes = true;
    clock.advance("5s");
    await expect(postern.jobs.deliverEvents()).rejects.toThrow("the process stops here");
    crashes = false;
    expect(await deliver(61)).toEqual([id]);
    expect(received).toEqual([id, id]);
    expect(deliveries[0]?.id).toBe(deliveries[1]?.id);
    const late = await commit(clock.now() - 30_000);
    crashes = true;
    await expect(postern.jobs.deliverEvents()).rejects.toThrow("the process stops here");
    crashes = false;
    expect(await deliver(61)).toEqual([late]);
    expect(await deliver(61)).toEqual([]);
  });

  test("has a time window that an option sets, and does not deliver events that are committed after it", async () => {
    const late = async (seconds: number, options: TestOptions) => {
      const { clock, commit, deliver } = await open(options);
      await commit(clock.now());
      await deliver(200);
      for (let calls = 0; calls < 3; calls++) {
        await commit(clock.now());
        await deliver();
      }
      const id = await commit(clock.now() - seconds * 1000);
      return (await deliver()).includes(id);
    };
    expect(await late(64, {})).toBe(true);
    expect(await late(75, {})).toBe(false);
    expect(await late(110, { logs: { lateEventWindowSeconds: 120 } })).toBe(true);
    expect(await late(20, { logs: { lateEventWindowSeconds: 5 } })).toBe(false);
    for (const lateEventWindowSeconds of [0, -1, Number.NaN, 3601, Infinity]) {
      await expect(open({ logs: { lateEventWindowSeconds } })).rejects.toThrow("'logs.lateEventWindowSeconds'");
    }
  });

  test("searches 20,000 delivered events with one count, and finds a late one among them in a few more statements", async () => {
    const data = countingAdapter(await sqlite());
    const { clock, commit, postern, received, records } = await open({ data });
    const [row] = await data.collections.logs.find({ where: { tenant_id: "main" }, limit: 1 });
    if (row === undefined) throw new Error("the log is empty");
    const begin = clock.now();
    for (let second = 0; second < 60; second++) {
      const rows = Array.from({ length: 333 }, (_, at) => {
        const date = begin + second * 1000 + at * 3;
        return { ...row, log_id: firstUlidAt(date).padEnd(26, "0"), date };
      });
      await data.collections.logs.insert(rows);
    }
    clock.advance("63s");
    while (!(await postern.jobs.deliverEvents()).finished);
    expect(received).toHaveLength(60 * 333);
    expect((await records()).length).toBeLessThanOrEqual(202);
    const idle = await data.costOf(() => postern.jobs.deliverEvents());
    expect(idle.statements).toEqual([...ofLogouts, "log_streams.find", "logs.count", "logs.find"]);
    const late = await commit(begin + 30_000);
    const found = await data.costOf(() => postern.jobs.deliverEvents());
    expect(received.slice(60 * 333)).toEqual([late]);
    expect(found.statements.length).toBeLessThan(30);
    clock.advance("3m");
    await postern.jobs.deliverEvents();
    expect(await records()).toEqual([]);
    const settled = await data.costOf(() => postern.jobs.deliverEvents());
    expect(settled.statements).toEqual([...ofLogouts, "log_streams.find", "logs.find"]);
  });

  test("counts events of the first and last millisecond of every five seconds once, and delivers late ones", async () => {
    const data = countingAdapter(createMemoryAdapter({ strict: true }));
    const { clock, commit, deliver, postern } = await open({ data });
    const start = Math.ceil(clock.now() / 5000) * 5000;
    const edges = Array.from({ length: 8 }, (_, i) => start + i * 5000).flatMap((edge) => [edge - 1, edge]);
    const onTime: string[] = [];
    for (const edge of edges) onTime.push(await commit(edge));
    expect(await deliver(60)).toEqual(onTime);
    const idle = await data.costOf(() => postern.jobs.deliverEvents());
    expect(idle.statements).toEqual([...ofLogouts, "log_streams.find", "logs.count", "logs.find"]);
    for (const edge of edges) {
      const late = await commit(edge);
      expect(await deliver(0)).toEqual([late]);
    }
    expect(await deliver(0)).toEqual([]);
  });

  test("deletes its delivery rows when it is deleted", async () => {
    const { clock, commit, deliver, records, call, token, streamId } = await open();
    await commit(clock.now());
    await deliver();
    expect(await records()).not.toEqual([]);
    await call("DELETE", `/api/v2/log-streams/${streamId}`, { token: await token("main") });
    expect(await records()).toEqual([]);
  });
});

/** The statements that find no logout tokens to deliver. */
const ofLogouts = ["sessions.find", "logout_deliveries.find"];

/** A request that writes one audit event. */
function tokenRequest(): Request {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: "main-manager",
    client_secret: clientSecret,
    audience: managementAudience,
  });
  return new Request(`${issuer}oauth/token`, { method: "POST", body });
}
