import type { AnyRow, Collection } from "@postern/core/adapter";
import { sweepExpired } from "../../packages/core/src/operations/sweep/sweep.ts";
import { createUlidFactory } from "../../packages/core/src/store/ulid.ts";
import { describe, expect, test } from "vitest";
import { expectError, jsonBody, list, managerOf, type JsonBody } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { openService } from "../support/flow.ts";
import { tenantStores } from "../support/tenant-stores.ts";

const day = 86_400_000;
const connection = "Username-Password-Authentication";
const ulid = createUlidFactory(() => 0.5);

/** Stores log events. @param types the code of each event, one second apart. */
async function insertEvents(
  { data }: Pick<TestPostern, "data">,
  from: number,
  types: readonly string[],
  { tenantId = "main", expiresAt = null as number | null, details = {} } = {},
): Promise<void> {
  const rows = types.map((type, index) => {
    const date = from + index * 1000;
    return { ...emptyEvent, tenant_id: tenantId, log_id: ulid(date), date, type, details, expires_at: expiresAt };
  });
  for (let i = 0; i < rows.length; i += 100) await data.collections.logs.insert(rows.slice(i, i + 100));
}

const emptyEvent = {
  description: "",
  client_id: "",
  client_name: "",
  connection: "",
  connection_id: "",
  organization_id: "",
  organization_name: "",
  user_id: "",
  user_name: "",
  ip: "",
  hostname: "",
  user_agent: "",
  is_mobile: false,
  audience: "",
  scope: "",
  strategy: "",
  strategy_type: "",
} as const;

const sweepAll = async ({ postern }: Pick<TestPostern, "postern">, budget = 10_000): Promise<number> => {
  for (let calls = 1; ; calls++) {
    if ((await postern.jobs.sweep({ budget })).finished) return calls;
    expect(calls).toBeLessThan(500);
  }
};

/** Reads the numbers of all days that the tests use. */
const readDays = async (
  service: TestPostern,
  query = "from=20251201&to=20260401",
  tenantId: "main" | "other" = "main",
): Promise<readonly JsonBody[]> => {
  const response = await (await managerOf(service, tenantId))("GET", `/api/v2/stats/daily?${query}`);
  if (response.status !== 200) throw new Error(JSON.stringify(response.body));
  return list(response);
};

const numbers = ({ date, logins, signups, failures }: JsonBody): readonly unknown[] => [
  String(date).slice(0, 10),
  logins,
  signups,
  failures,
];

describe("the daily statistics", () => {
  test("count real sign-ins, sign-ups and failures by their reason, once", async () => {
    const service = await openService({});
    const { clock, bob } = service;
    const grant = "http://auth0.com/oauth/grant-type/password-realm";
    const { clientId } = await service.register({ grant_types: [grant] });
    const signIn = (password: string) =>
      service.exchange({ grant_type: grant, client_id: clientId, realm: connection, username: bob.email, password, scope: "openid" });
    for (const password of [bob.password, "wrong", bob.password, "wrong"]) await signIn(password);
    const signUp = { client_id: clientId, connection, email: "new@example.test", password: "Correct-horse-1" };
    expect((await service.call("POST", "/dbconnections/signup", { body: signUp })).status).toBe(200);
    clock.advance("10m");
    for (let i = 0; i < 3; i++) await sweepAll(service);
    const [today] = await readDays(service);
    expect(today).toMatchObject({
      date: new Date(clock.now()).toISOString().replace(/T.*/, "T00:00:00.000Z"),
      logins: 2,
      signups: 1,
      leaked_passwords: 0,
      failures: 2,
      failures_by_type: { fp: 2 },
      active_users: 1,
    });
    expect((await (await managerOf(service))("GET", "/api/v2/stats/active-users")).body).toBe(1);
  });

  test("have a day for each day with events, and none for the others", async () => {
    const service = await createTestPostern();
    const start = service.clock.now();
    await insertEvents(service, start + 3 * day - 2000, ["s", "s", "s", "ss"]);
    service.clock.advance("5d");
    await sweepAll(service);
    expect((await readDays(service)).map(numbers)).toEqual([
      ["2026-01-03", 2, 0, 0],
      ["2026-01-04", 1, 1, 0],
    ]);
  });

  test.each([1, 7, 60, 5000])("are the same if each call has a budget of %i", async (budget) => {
    const service = await createTestPostern();
    await insertEvents(
      service,
      service.clock.now() + 1000,
      Array.from({ length: 2500 }, (_, i) => (i % 5 === 0 ? "fu" : "s")),
    );
    service.clock.advance("1d");
    await sweepAll(service, budget);
    expect((await readDays(service)).map(numbers)).toEqual([["2026-01-01", 2000, 0, 500]]);
  });

  test("count each event once in parallel processes", async () => {
    const service = await createTestPostern();
    const second = await createTestPostern({ data: service.data, testing: { clock: service.clock } });
    await insertEvents(
      service,
      service.clock.now() + 1000,
      Array.from({ length: 3500 }, () => "s"),
    );
    service.clock.advance("1d");
    await Promise.all([sweepAll(service), sweepAll(second), sweepAll(service), sweepAll(second)]);
    await sweepAll(service);
    expect((await readDays(service)).map(numbers)).toEqual([["2026-01-01", 3500, 0, 0]]);
  });

  test("count each event once if a process crashes after any write", async () => {
    for (let writes = 0; ; writes++) {
      const service = await createTestPostern();
      await insertEvents(
        service,
        service.clock.now() + 1000,
        Array.from({ length: 1500 }, () => "s"),
      );
      service.clock.advance("1d");
      const restore = crashAfter(service, writes);
      const crashed = await service.postern.jobs.sweep().then(
        () => false,
        () => true,
      );
      restore();
      await sweepAll(service);
      expect([writes, ...(await readDays(service)).map(numbers)]).toEqual([writes, ["2026-01-01", 1500, 0, 0]]);
      if (!crashed) return;
      expect(writes).toBeLessThan(20);
    }
  });

  test("include the failures that one event reports", async () => {
    const service = await createTestPostern();
    await insertEvents(service, service.clock.now() + 1000, ["fp", "fp"]);
    await insertEvents(service, service.clock.now() + 5000, ["fp", "limit_sul"], { details: { count: 40 } });
    service.clock.advance("1d");
    await sweepAll(service);
    expect((await readDays(service))[0]).toMatchObject({ failures: 82, failures_by_type: { fp: 42, limit_sul: 40 } });
  });

  test("count an event before it is deleted, and delete no event that is not counted", async () => {
    const service = await createTestPostern();
    const start = service.clock.now();
    await insertEvents(
      service,
      start + 1000,
      Array.from({ length: 3000 }, () => "s"),
      { expiresAt: start + 2 * day },
    );
    service.clock.advance("3d");
    let calls = 0;
    for (; calls < 400; calls++) {
      const { finished } = await service.postern.jobs.sweep({ budget: 20 });
      const left = await service.data.collections.logs.count({ tenant_id: "main", type: "s" });
      const [counted] = await readDays(service);
      expect(Number(counted?.["logins"] ?? 0) + left).toBeGreaterThanOrEqual(3000);
      if (finished) break;
    }
    expect(calls).toBeGreaterThan(2);
    expect(await service.data.collections.logs.count({ tenant_id: "main", type: "s" })).toBe(0);
    expect((await readDays(service)).map(numbers)).toEqual([["2026-01-01", 3000, 0, 0]]);
  });

  test("keep expired events that are not counted yet", async () => {
    const service = await createTestPostern();
    const start = service.clock.now();
    await insertEvents(service, start, ["s", "s", "s"], { expiresAt: start + day });
    const swept = { now: () => start + 2 * day };
    await sweepExpired(swept, service.data.collections, 1000, start + 1500);
    expect(await service.data.collections.logs.count({ tenant_id: "main", type: "s" })).toBe(1);
    await sweepExpired(swept, service.data.collections, 1000, start + day);
    expect(await service.data.collections.logs.count({ tenant_id: "main", type: "s" })).toBe(0);
  });

  test("do not count the events of the last minute yet", async () => {
    const service = await createTestPostern();
    service.clock.advance("1h");
    await insertEvents(service, service.clock.now() - 30_000, ["s"]);
    await sweepAll(service);
    expect(await readDays(service)).toEqual([]);
    service.clock.advance("10m");
    await sweepAll(service);
    expect((await readDays(service)).map(numbers)).toEqual([["2026-01-01", 1, 0, 0]]);
  });

  test("are those of one tenant", async () => {
    const service = await createTestPostern();
    await insertEvents(service, service.clock.now() + 1000, ["s", "s"]);
    await insertEvents(service, service.clock.now() + 1000, ["s"], { tenantId: "other" });
    service.clock.advance("1d");
    await sweepAll(service);
    expect((await readDays(service, undefined, "other")).map(numbers)).toEqual([["2026-01-01", 1, 0, 0]]);
  });

  test("are counted and events are deleted in tenant-specific databases, also while another one fails", async () => {
    const stores = tenantStores();
    let failing = "";
    const service = await createTestPostern({
      logger: { log: () => {} },
      databaseIsolation: {
        getAdapters: async (tenantId) => {
          if (tenantId === failing) throw new Error("no route to host");
          return tenantId === "shared" ? undefined : stores.isolation.getAdapters(tenantId);
        },
      },
    });
    for (const tenantId of ["own", "shared", "broken"]) await service.postern.seed({ tenantId });
    const start = service.clock.now();
    const expiresAt = start + 2 * day;
    await insertEvents({ data: stores.database("own") }, start + 1000, ["s", "s"], { tenantId: "own", expiresAt });
    await insertEvents(service, start + 1000, ["s", "fp"], { tenantId: "shared", expiresAt });
    await service.postern.close();
    failing = "broken";
    service.clock.advance("3d");
    for (let i = 0; i < 4; i++) await service.postern.jobs.sweep();
    const own = await stores.database("own").collections.daily_statistics.find({ where: { tenant_id: "own" }, limit: 9 });
    const shared = await service.data.collections.daily_statistics.find({ where: { tenant_id: "shared" }, limit: 9 });
    expect([own, shared].map((days) => days.map(({ logins, failures }) => [logins, failures]))).toEqual([[[2, 0]], [[1, 1]]]);
    expect(await stores.database("own").collections.logs.count({ tenant_id: "own", type: "s" })).toBe(0);
    expect(await service.data.collections.logs.count({ tenant_id: "shared", type: "s" })).toBe(0);
  });
});

describe("the active users", () => {
  test("are counted at most once an hour, and decrease without sign-ins", async () => {
    const service = await createTestPostern();
    const users: readonly string[] = await Promise.all(
      ["a", "b"].map(
        async (name) => (await service.postern.tenant("main").users.create({ connection, email: `${name}@example.test` })).user_id,
      ),
    );
    const signIn = async (user: string | undefined): Promise<void> => {
      await service.data.collections.users.update({ tenant_id: "main", user_id: user ?? "" }, { set: { last_login: service.clock.now() } });
      await insertEvents(service, service.clock.now(), ["s"]);
    };
    const active = async (): Promise<unknown> => (await (await managerOf(service))("GET", "/api/v2/stats/active-users")).body;
    expect(await active()).toBe(0);
    await signIn(users[0]);
    service.clock.advance("10m");
    await sweepAll(service);
    expect(await active()).toBe(1);
    await signIn(users[1]);
    service.clock.advance("10m");
    await sweepAll(service);
    expect(await active()).toBe(1);
    await signIn(users[1]);
    service.clock.advance("1h");
    await sweepAll(service);
    expect(await active()).toBe(2);
    service.clock.advance("40d");
    await sweepAll(service);
    expect(await active()).toBe(0);
    expect(await readDays(service)).toHaveLength(2);
    service.clock.advance("5d");
    await sweepAll(service);
    expect(await readDays(service)).toHaveLength(2);
  });
});

describe("GET /api/v2/stats/daily", () => {
  test("returns the last 30 days, or the days from and to the given ones", async () => {
    const service = await createTestPostern();
    for (let i = 0; i < 40; i++) await insertEvents(service, service.clock.now() + i * day + 1000, ["s"]);
    service.clock.advance(39 * day + 7_200_000);
    await sweepAll(service);
    const dates = async (query: string): Promise<readonly unknown[]> => {
      const days = await readDays(service, query);
      return [days.length, String(days[0]?.["date"]).slice(0, 10), String(days.at(-1)?.["date"]).slice(0, 10)];
    };
    expect(await dates("")).toEqual([30, "2026-01-11", "2026-02-09"]);
    expect(await dates("to=20260131")).toEqual([30, "2026-01-02", "2026-01-31"]);
    expect(await dates("from=20260131")).toEqual([10, "2026-01-31", "2026-02-09"]);
    expect(await dates("from=20260103&to=20260103")).toEqual([1, "2026-01-03", "2026-01-03"]);
  });

  test.each(["from=2026-01-01", "from=20260231", "to=20261301", "from=today", "from=", "from=20260102&to=20260101", "days=3"])(
    "rejects %s",
    async (query) => {
      const service = await createTestPostern();
      expectError(await (await managerOf(service))("GET", `/api/v2/stats/daily?${query}`), 400, "invalid_request");
    },
  );

  test("requires its scope", async () => {
    const service = await createTestPostern();
    for (const path of ["daily", "active-users"]) expect((await service.call("GET", `/api/v2/stats/${path}`)).status).toBe(401);
    expect(jsonBody(await service.call("GET", "/api/v2/spec"))).toMatchObject({
      paths: { "/api/v2/stats/daily": { get: expect.anything() } },
    });
  });
});

/** Lets every write of the statistics fail after `writes` writes, as a crashed process. @returns a function that ends this. */
function crashAfter({ data }: TestPostern, writes: number): () => void {
  let done = 0;
  const { daily_statistics: days, tenants } = data.collections;
  const restored: (() => void)[] = [];
  for (const collection of [days, tenants] as unknown as Collection<AnyRow>[]) {
    const { insert, update } = collection;
    const crash = <Arguments extends readonly unknown[], T>(run: (...given: Arguments) => Promise<T>) => {
      return async (...given: Arguments): Promise<T> => {
        if (++done > writes) throw new Error("crashed");
        return run(...given);
      };
    };
    Object.assign(collection, { insert: crash(insert), update: crash(update) });
    restored.push(() => Object.assign(collection, { insert, update }));
  }
  return () => restored.forEach((restore) => restore());
}
