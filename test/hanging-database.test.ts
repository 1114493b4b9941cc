import { createPostern, type LogEntry } from "@postern/core";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { managerOf } from "./support/api.ts";
import { hangingDatabase, until, watchedClock } from "./support/hanging-adapter.ts";
import { createTestPostern, type TestOptions } from "./support/postern.ts";

/** Opens a service whose first database hangs on demand, and whose timeouts depend on the test's clock. */
async function open(options: TestOptions = {}) {
  const clock = watchedClock();
  const memory = createMemoryAdapter({ strict: true });
  const database = hangingDatabase(memory);
  const logEntries: LogEntry[] = [];
  const service = await createTestPostern({
    data: database.adapter,
    logger: { log: (entry) => void logEntries.push(entry) },
    testing: { clock, setTimer: clock.setTimer },
    ...options,
  });
  const eventsNamed = (event: string) => logEntries.filter((entry) => entry.event === event);
  return { service, clock, memory, database, of: eventsNamed };
}

test("a request to a hanging database responds with 503 within 10 seconds, also for a page", async () => {
  const { service, clock, database } = await open();
  const token = await service.token();
  for (const [path, options] of [
    ["/api/v2/clients", { token }],
    ["/authorize?client_id=main-manager&response_type=code&redirect_uri=https://app.test/", { headers: { accept: "text/html" } }],
    ["/authorize?client_id=unknown&response_type=code&redirect_uri=https://app.test/", { headers: { accept: "text/html" } }],
  ] as const) {
    clock.advance("10s");
    database.hang();
    const { value, seconds } = await clock.secondsOf(service.call("GET", path, options));
    expect(value.status).toBe(503);
    expect(seconds).toBeGreaterThanOrEqual(8);
    expect(seconds).toBeLessThan(10);
    database.recover();
    await database.respond();
  }
});

test("`dataTimeoutSeconds` sets the timeout", async () => {
  const { service, clock, database } = await open({ limits: { dataTimeoutSeconds: 2.5 } });
  const token = await service.token();
  clock.advance("10s");
  database.hang();
  const { value, seconds } = await clock.secondsOf(service.call("GET", "/api/v2/clients", { token }));
  expect(value.status).toBe(503);
  expect(seconds).toBeLessThan(5);
});

test("requests do not queue up for a hanging database, and succeed as soon as it responds", async () => {
  const { service, clock, database } = await open();
  const token = await service.token();
  clock.advance("10s");
  database.hang();
  await clock.secondsOf(Promise.all([service.call("GET", "/api/v2/clients", { token }), service.call("GET", "/api/v2/roles", { token })]));
  await clock.secondsOf(service.call("GET", "/api/v2/clients", { token }));

  const before = database.calls.length;
  const answers = await Promise.all(Array.from({ length: 50 }, () => service.call("GET", "/api/v2/clients", { token })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(database.calls.length - before).toBeLessThanOrEqual(1);

  // The hanging calls never respond, like those on a connection that a network dropped silently.
  database.recover();
  clock.advance("1s");
  expect((await service.call("GET", "/api/v2/clients", { token })).status).toBe(200);
  expect((await service.call("GET", "/api/v2/roles", { token })).status).toBe(200);
});

test("a slow database does not time out", async () => {
  const { service, clock, database } = await open();
  const token = await service.token();
  clock.advance("10s");
  for (let request = 0; request < 3; request++) {
    database.hang();
    let answer: { readonly status: number } | undefined;
    void service.call("GET", "/api/v2/clients", { token }).then((value) => (answer = value));
    while (answer === undefined) {
      await until(() => answer !== undefined || database.hanging().length > 0, "a call or an answer");
      clock.advance("7s");
      await database.respond();
    }
    expect(answer.status).toBe(200);
  }
});

test("a write that times out responds with 503 and is not retried, even if it takes effect later", async () => {
  const { service, clock, memory, database } = await open();
  const token = await service.token();
  database.hang((collection, method) => collection === "clients" && method === "insert");
  const { value } = await clock.secondsOf(service.call("POST", "/api/v2/clients", { token, body: { name: "Late" } }));
  expect(value).toMatchObject({ status: 503, body: { error: expect.anything() } });
  const where = { tenant_id: "main", name: "Late" } as const;
  expect(database.calls.filter((call) => call === "clients.insert").length).toBe(database.hanging().length + 2);
  expect(database.hanging()).toEqual(["clients.insert"]);
  await database.respond();
  expect(await memory.collections.clients.count(where)).toBe(1);
  expect(database.hanging()).toEqual([]);
  const events = await memory.collections.logs.find({ where: { tenant_id: "main" }, limit: 100 });
  expect(
    events.filter(
      ({ type, description }) => type === "sapi" && /client/i.test(description) && JSON.stringify(description).includes("Late"),
    ),
  ).toEqual([]);
});

test("an update that times out is not retried by compare-and-swap", async () => {
  const { service, clock, database } = await open();
  const token = await service.token();
  const created = await (await managerOf(service)).create("/api/v2/roles", { name: "Editor" });
  database.hang((collection, method) => collection === "roles" && method === "update");
  const { value } = await clock.secondsOf(
    service.call("PATCH", `/api/v2/roles/${String(created["id"])}`, { token, body: { name: "Writer" } }),
  );
  expect(value.status).toBe(503);
  expect(database.calls.filter((call) => call === "roles.update")).toHaveLength(1);
});

test("an audit event that times out goes to the logger, and the response does not wait for a retry", async () => {
  const { service, clock, database, of: eventsNamed } = await open();
  const token = await service.token();
  database.hang((collection) => collection === "logs");
  const before = database.calls.filter((call) => call === "logs.insert").length;
  const { value, seconds } = await clock.secondsOf(service.call("POST", "/api/v2/roles", { token, body: { name: "Editor" } }));
  expect(value.status).toBe(201);
  expect(seconds).toBeLessThan(10);
  expect(database.calls.filter((call) => call === "logs.insert").length - before).toBe(1);
  expect(eventsNamed("audit_failed")).toHaveLength(1);
  // The next request waits for the same table for a shorter time.
  const next = await clock.secondsOf(service.call("POST", "/api/v2/roles", { token, body: { name: "Writer" } }));
  expect(next.value.status).toBe(201);
  expect(next.seconds).toBeLessThanOrEqual(2);
});

test("`ready` responds within 2 seconds, and succeeds again when the database does", async () => {
  const { service, clock, database } = await open();
  database.hang();
  for (let check = 0; check < 20; check++) {
    const { value, seconds } = await clock.secondsOf(service.postern.ready());
    expect(value.status).toBe(503);
    expect(seconds).toBeLessThanOrEqual(2);
    clock.advance("1s");
  }
  database.recover();
  clock.advance("2s");
  expect((await service.postern.ready()).status).toBe(200);
});

test("`doctor` detects a hanging database within seconds", async () => {
  const { service, clock, database } = await open();
  database.hang();
  const { value, seconds } = await clock.secondsOf(service.postern.doctor({ fetch: async () => new Response(null, { status: 503 }) }));
  expect(value).toContainEqual(expect.objectContaining({ level: "error", message: expect.stringMatching(/does not respond/) }));
  expect(seconds).toBeLessThan(10);
});

test.each(["sweep", "deliverEvents"] as const)("`%s` rejects if the first database hangs", async (job) => {
  const { service, clock, database } = await open();
  database.hang();
  const { value, seconds } = await clock.secondsOf(service.postern.jobs[job]().catch((error: unknown) => error));
  expect(value).toMatchObject({ name: "UnavailableError" });
  expect(seconds).toBeLessThanOrEqual(70);
  database.recover();
  clock.advance("2s");
  expect(await service.postern.jobs[job]()).toMatchObject({ finished: true });
});

test("a database call of a job has a timeout of a minute, which is longer than that of a request", async () => {
  const { service, clock, database } = await open();
  database.hang((collection, method) => collection === "log_streams" && method === "find");
  let delivered: unknown;
  void service.postern.jobs.deliverEvents().then((value) => (delivered = value));
  await until(() => database.hanging().length > 0, "the call");
  clock.advance("50s");
  database.recover();
  await database.respond();
  await until(() => delivered !== undefined, "the result");
  expect(delivered).toMatchObject({ finished: true });
});

test("a check of the tables that hangs is abandoned, and the result of a slow one is used", async () => {
  const clock = watchedClock();
  let checks = 0;
  const memory = { ...createMemoryAdapter({ strict: true }), check: async () => void checks++ };
  const service = await createTestPostern({ data: memory });
  const { postern } = service;
  await postern.close();

  const database = hangingDatabase(memory);
  const fresh = () =>
    createPostern({
      issuer: postern.issuer,
      data: database.adapter,
      crypto: { secret: "0123456789abcdef0123456789abcdef" },
      testing: { clock, setTimer: clock.setTimer },
      logger: { log: () => {} },
    });
  const get = (eventsNamed: ReturnType<typeof fresh>) =>
    eventsNamed.fetch(new Request(`${eventsNamed.issuer}.well-known/openid-configuration?tenant=main`));

  database.hang((collection) => collection === "schema");
  const stuck = fresh();
  expect((await clock.secondsOf(get(stuck))).value.status).toBe(503);
  database.recover();
  clock.advance("2s");
  checks = 0;
  await get(stuck);
  expect(checks).toBe(1);

  database.hang((collection) => collection === "schema");
  const slow = fresh();
  expect((await clock.secondsOf(get(slow))).value.status).toBe(503);
  database.recover();
  await database.respond();
  checks = 0;
  await get(slow);
  expect(checks).toBe(0);
});

test("`inTransaction` rejects if one of its calls times out, and sends nothing more to the connection", async () => {
  const { service, clock, memory } = await open();
  const inner = hangingDatabase({ collections: memory.collections });
  inner.hang((collection, method) => collection === "roles" && method === "insert");
  const work = service.postern.inTransaction(inner.adapter, async (inside) => {
    const acme = inside.tenant("main");
    await acme.roles.create({ name: "Editor" }).catch(() => {});
    await acme.roles.create({ name: "Writer" }).catch(() => {});
  });
  const { value, seconds } = await clock.secondsOf(work.catch((error: unknown) => error));
  expect(value).toMatchObject({ code: "temporarily_unavailable" });
  expect(seconds).toBeLessThan(10);
  expect(inner.calls.filter((call) => call === "roles.insert")).toHaveLength(1);
});
