import type { LogEntry } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { clientSecret, createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";
import { tenantStores, wrapCollections } from "../support/tenant-stores.ts";

const api = (service: TestPostern, tenantId: "main" | "other") =>
  service.call("POST", "/oauth/token", {
    body: {
      grant_type: "client_credentials",
      client_id: `${tenantId}-manager`,
      client_secret: clientSecret,
      audience: managementAudience,
    },
  });

const { database } = tenantStores();
/** A logger that keeps what the operator is told. */
function operator() {
  const told: LogEntry[] = [];
  const of = (event: string) => told.filter((entry) => entry.event === event);
  return { logger: { log: (entry: LogEntry) => void told.push(entry) }, of };
}

/** What a host may answer, all of it wrong. */
const nonsense: readonly (readonly [string, unknown, RegExp])[] = [
  ["text", "sqlite:./other.db", /no data adapter/],
  ["an empty object", {}, /no data adapter/],
  ["null for the collections", { collections: null }, /no data adapter/],
  ["no collections in it", { collections: {} }, /lacks .*\.insert/],
  [
    "a collection without a method",
    { collections: { ...database("x").collections, users: { find: async () => [] } } },
    /lacks users\.insert/,
  ],
  ["no searches", { collections: withoutFilters(database("x")) }, /understands no searches \(filters\) in /],
  ["tables that are missing", { ...database("x"), check: () => Promise.reject(new Error("table postern_users is missing")) }, /is missing/],
];

function withoutFilters({ collections }: DataAdapter): DataAdapter["collections"] {
  return { ...wrapCollections(collections, (question) => question()), users: { ...collections.users, filters: false } };
}

test.each(nonsense)(
  "a factory that answers with %s: 503 for its tenant alone, the operator is told why, and it recovers",
  async (_, wrong, says) => {
    const stores = tenantStores();
    let answer: unknown;
    const { logger, of } = operator();
    const service = await createTestPostern({
      logger,
      databaseIsolation: {
        // From JavaScript, where nothing holds a host to the types.
        getAdapters: async (tenantId) => (answer === undefined ? stores.isolation.getAdapters(tenantId) : (answer as DataAdapter)),
      },
    });
    await service.postern.close();
    answer = wrong;
    const refused = await api(service, "other");
    expect(refused).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(JSON.stringify(refused.body)).not.toMatch(says);
    expect((await api(service, "main")).status).toBe(200);
    const [told] = of("database_unavailable");
    expect(told).toMatchObject({ tenant_id: "other" });
    expect(String(told?.["error"])).toMatch(says);

    answer = undefined;
    service.clock.advance("1s");
    expect((await api(service, "other")).status).toBe(200);
  },
);

test("a database that cannot be opened is asked for once a second, however many ask", async () => {
  const stores = tenantStores();
  let [fails, asked] = [false, 0];
  const { logger, of } = operator();
  const service = await createTestPostern({
    logger,
    databaseIsolation: {
      async getAdapters(tenantId) {
        asked++;
        if (fails) throw new Error("no route to host");
        return stores.isolation.getAdapters(tenantId);
      },
    },
  });
  await service.postern.close();
  [fails, asked] = [true, 0];
  for (let second = 1; second <= 3; second++) {
    const answers = await Promise.all(Array.from({ length: 32 }, () => api(service, "other")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(asked).toBe(second);
    service.clock.advance("1s");
  }
  expect(of("database_unavailable")).toHaveLength(3);
});

test("what was opened and then found wrong is closed", async () => {
  let closed = 0;
  const adapter = createMemoryAdapter({ strict: true });
  const service = await createTestPostern({
    logger: operator().logger,
    databaseIsolation: {
      getAdapters: () => ({ ...adapter, check: () => Promise.reject(new Error("wrong")), close: async () => void closed++ }),
    },
  }).catch((error: unknown) => error);
  expect(service).toMatchObject({ name: "UnavailableError" });
  expect(closed).toBe(1);
});

test("a database in which another secret sealed something is not served", async () => {
  const stores = tenantStores();
  const data = createMemoryAdapter({ strict: true });
  const first = await createTestPostern({ data, databaseIsolation: stores.isolation });
  const token = await first.token("other");
  expect((await first.call("POST", "/api/v2/keys/signing/rotate", { token })).status).toBe(201);
  await first.postern.close();
  // Restored from another installation, for example: the first database is this one's.
  const elsewhere = await createTestPostern({
    logger: operator().logger,
    databaseIsolation: stores.isolation,
    crypto: { secret: "another-secret-another-secret-32" },
  }).catch((error: unknown) => error);
  expect(elsewhere).toMatchObject({ name: "UnavailableError", cause: { message: expect.stringMatching(/the secret does not open/) } });
});

test("a database that breaks after it was opened is its tenant's trouble alone", async () => {
  const stores = tenantStores();
  let broken = false;
  const service = await createTestPostern({
    logger: operator().logger,
    databaseIsolation: {
      async getAdapters(tenantId) {
        const own = await stores.isolation.getAdapters(tenantId);
        if (own === undefined) throw new Error("every tenant has one");
        return {
          ...own,
          collections: wrapCollections(own.collections, (question) => {
            if (broken) throw Object.assign(new Error("gone"), { name: "UnavailableError" });
            return question();
          }),
        };
      },
    },
  });
  const token = await service.token("other");
  broken = true;
  expect((await service.call("GET", "/api/v2/users", { token })).status).toBe(503);
  expect((await api(service, "main")).status).toBe(200);
  broken = false;
  expect((await service.call("GET", "/api/v2/users", { token })).status).toBe(200);
});
