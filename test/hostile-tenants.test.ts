import { pbkdf2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { createMemoryAdapter } from "@postern/memory";
import { list } from "./support/api.ts";
import { hangingDatabase, until, watchedClock } from "./support/hanging-adapter.ts";
import { clientSecret, createTestPostern, type TestPostern } from "./support/postern.ts";

/**
 * A harmful tenant, `other`, next to a healthy one, `main`. In each test both send requests at the same time. The
 * healthy tenant must get its response, and may wait for only a limited part of the harmful tenant's work.
 */

const database = "Username-Password-Authentication";

/** Runs named work in parallel. @returns the names in the order in which the work finished. */
async function orderOf(namedWork: readonly (readonly [name: string, work: () => Promise<unknown>])[]): Promise<readonly string[]> {
  const ended: string[] = [];
  await Promise.all(namedWork.map(([name, work]) => work().then(() => ended.push(name))));
  return ended;
}

/** Returns how much of the harmful work finished before the healthy tenant's. */
const waitedFor = (ended: readonly string[]): number => ended.indexOf("healthy");

test("an endless template delays the mail of another tenant by at most two messages", async () => {
  const sent: string[] = [];
  const service = await createTestPostern({
    messages: { mail: { send: async ({ to }) => void sent.push(to.startsWith("healthy") ? "healthy" : "hostile") } },
  });
  const endlessTemplate = "{% for i in (1..10000) %}{% for j in (1..10000) %}{{ j }}{% endfor %}{% endfor %}";
  await service.postern.tenant("main").connections.create({ name: "email", strategy: "email" });
  await service.postern.tenant("other").connections.create({
    name: "email",
    strategy: "email",
    options: { email: { subject: "Your code", body: endlessTemplate } },
  });
  const start = (tenantId: string, email: string) => async (): Promise<void> => {
    const body = { client_id: `${tenantId}-manager`, connection: "email", email, send: "code" };
    expect((await service.call("POST", "/passwordless/start", { body })).status).toBe(200);
  };
  const hostile = Array.from({ length: 10 }, (_, i) => ["hostile", start("other", `hostile-${i}@example.test`)] as const);
  await orderOf([...hostile, ["healthy", start("main", "healthy@example.test")]]);
  expect(sent).toHaveLength(11);
  expect(waitedFor(sent)).toBeLessThanOrEqual(2);
});

test("imported hashes with the highest accepted cost delay another tenant's login only by the hashes that are already running", async () => {
  const service = await createTestPostern();
  await enablePasswordGrant(service, "main", "other");
  await service.postern
    .tenant("main")
    .users.create({ connection: database, email: "healthy@example.test", password: "correct horse battery" });
  const key = pbkdf2Sync("correct horse battery", "saltsaltsaltsalt", 4_000_000, 32, "sha256");
  const text = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "");
  const hash = `$pbkdf2-sha256$i=4000000,l=32$${text(Buffer.from("saltsaltsaltsalt"))}$${text(key)}`;
  const users = Array.from({ length: 8 }, (_, i) => ({
    email: `hostile-${i}@example.test`,
    email_verified: true,
    custom_password_hash: { algorithm: "pbkdf2", hash: { value: hash, encoding: "utf8" } },
  }));
  expect(await service.postern.importUsers("other", users, { connection: database })).toMatchObject({ inserted: 8 });
  // Each iteration produces seven blocks of output. The total cost is limited, not only the iterations.
  const expensive = { ...users[0], email: "wide@example.test" };
  const expensiveHash = hash.replace("l=32", "l=224").replace(text(key), text(Buffer.alloc(224, 1)));
  const expensiveUser = { ...expensive, custom_password_hash: { algorithm: "pbkdf2", hash: { value: expensiveHash, encoding: "utf8" } } };
  expect(await service.postern.importUsers("other", [expensiveUser], { connection: database })).toMatchObject({ inserted: 0, failed: 1 });

  const login = (tenantId: string, username: string) => async (): Promise<void> => {
    const body = {
      grant_type: "password",
      client_id: `${tenantId}-logins`,
      client_secret: clientSecret,
      username,
      password: "correct horse battery",
    };
    expect(await service.call("POST", "/oauth/token", { body: { ...body, scope: "openid" } })).toMatchObject({ status: 200 });
  };
  const hostile = users.map(({ email }) => ["hostile", login("other", email)] as const);
  const ended = await orderOf([...hostile, ["healthy", login("main", "healthy@example.test")]]);
  // Two hashes run at once. Each login of the harmful tenant hashes twice, because its imported hash is replaced.
  expect(waitedFor(ended)).toBeLessThanOrEqual(3);
});

test("responses with pages of large rows wait for each other, and small requests of another tenant do not wait for them", async () => {
  const service = await createTestPostern();
  const metadata = { note: "x".repeat(60_000) };
  const create = (i: number) =>
    service.postern.tenant("other").users.create({ connection: database, email: `user-${i}@example.test`, user_metadata: metadata });
  for (let i = 0; i < 100; i++) await create(i);
  const [hostileToken, healthyToken] = [await service.token("other"), await service.token("main")];
  const largePage = async (): Promise<void> => {
    expect(list(await service.call("GET", "/api/v2/users?per_page=100", { token: hostileToken }))).toHaveLength(100);
  };
  const smallRequest = async (): Promise<void> => {
    expect(await service.call("GET", "/api/v2/clients", { token: healthyToken })).toMatchObject({ status: 200 });
  };
  const ended = await orderOf([...Array.from({ length: 6 }, () => ["hostile", largePage] as const), ["healthy", smallRequest]]);
  expect(waitedFor(ended)).toBeLessThanOrEqual(1);
});

test("a hanging database blocks no request and no job of another tenant", async () => {
  const clock = watchedClock();
  const hangingData = hangingDatabase(createMemoryAdapter());
  const service = await createTestPostern({
    testing: { clock, setTimer: clock.setTimer },
    logger: { log() {} },
    databaseIsolation: { getAdapters: (tenantId) => (tenantId === "other" ? hangingData.adapter : undefined) },
  });
  const [hostileToken, healthyToken] = [await service.token("other"), await service.token("main")];
  clock.advance("10s");
  hangingData.hang();
  const hangingRequests = Promise.all(Array.from({ length: 20 }, () => service.call("GET", "/api/v2/users", { token: hostileToken })));
  await until(() => hangingData.hanging().length > 0, "a call that hangs");
  for (let i = 0; i < 20; i++) expect(await service.call("GET", "/api/v2/users", { token: healthyToken })).toMatchObject({ status: 200 });
  expect(hangingData.hanging().length).toBeGreaterThan(0);
  const answers = await clock.secondsOf(hangingRequests);
  expect(new Set(answers.value.map(({ status }) => status))).toEqual(new Set([503]));
  expect(answers.seconds).toBeLessThan(10);
  const swept = await clock.secondsOf(service.postern.jobs.sweep());
  expect(swept.value).toMatchObject({ skippedTenants: ["other"] });
  expect(await service.postern.ready()).toMatchObject({ status: 200 });
});

test("tenant ids that look like cache keys reach no data of another kind or tenant", async () => {
  const service = await createTestPostern();
  const token = await service.token("main");
  await service.postern.tenant("main").resourceServers.create({ identifier: "https://foo.test" });
  const craftedIds = [
    "main/resource_servers/identifier:https://foo.test",
    "main/tenants",
    "/tenants",
    "__proto__",
    "MAIN",
    "main\u0000",
    '["main"]',
    "",
  ];
  for (const id of craftedIds) {
    const headers = new Headers();
    // A header cannot contain NUL, but the state can.
    if (!id.includes("\u0000")) headers.set("tenant-id", id);
    const state = encodeURIComponent(`${id}.x`);
    for (const path of ["authorize?client_id=main-manager", `u/login?state=${state}`, ".well-known/openid-configuration"]) {
      const response = await service.postern.fetch(new Request(service.postern.issuer + path, { headers }));
      expect(response.status, `${id} ${path}`).toBeLessThan(500);
      if (id !== "" && path.startsWith(".well-known") && headers.has("tenant-id")) expect(response.status, id).toBe(404);
    }
    expect(await service.call("GET", "/api/v2/clients", { token })).toMatchObject({ status: 200 });
  }
});

/** Adds a client with the password grant to each tenant. */
async function enablePasswordGrant({ postern }: TestPostern, ...tenantIds: readonly string[]): Promise<void> {
  for (const tenantId of tenantIds) {
    const settings = { name: "Logins", app_type: "regular_web", grant_types: ["password"] } as const;
    await postern.seed({ tenantId, clients: [{ clientId: `${tenantId}-logins`, secret: clientSecret, settings }] });
  }
}
