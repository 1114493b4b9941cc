import type { LogEntry } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { clientSecret, createTestPostern, managementAudience, type TestPostern } from "../support/postern.ts";
import { tenantStores, wrapCollections } from "../support/tenant-stores.ts";

const requestToken = (service: TestPostern, tenantId: "main" | "other") =>
  service.call("POST", "/oauth/token", {
    body: {
      grant_type: "client_credentials",
      client_id: `${tenantId}-manager`,
      client_secret: clientSecret,
      audience: managementAudience,
    },
  });

const { database } = tenantStores();
/** Creates a logger that stores its entries. */
function createRecordingLogger() {
  const entries: LogEntry[] = [];
  const entriesOf = (event: string) => entries.filter((entry) => entry.event === event);
  return { logger: { log: (entry: LogEntry) => void entries.push(entry) }, entriesOf };
}

/** Invalid results that the host application's `getAdapters` may return. */
const invalidAdapters: readonly (readonly [string, unknown, RegExp])[] = [
  ["text", "sqlite:./other.db", /must return a data adapter/],
  ["an empty object", {}, /must return a data adapter/],
  ["null for the collections", { collections: null }, /must return a data adapter/],
  ["an empty object for the collections", { collections: {} }, /without .*\.insert/],
  [
    "a collection without a method",
    { collections: { ...database("x").collections, users: { find: async () => [] } } },
    /without users\.insert/,
  ],
  ["collections without searches", { collections: withoutFilters(database("x")) }, /does not support searches \(filters\) in /],
  ["missing tables", { ...database("x"), check: () => Promise.reject(new Error("table postern_users is missing")) }, /is missing/],
];

function withoutFilters({ collections }: DataAdapter): DataAdapter["collections"] {
  return { ...wrapCollections(collections, (query) => query()), users: { ...collections.users, filters: false } };
}

test.each(invalidAdapters)(
  "if getAdapters returns %s, requests to the tenant get 503 until it recovers, and the log contains the reason",
  async (_, invalid, message) => {
    const stores = tenantStores();
    let result: unknown;
    const { logger, entriesOf } = createRecordingLogger();
    const service = await createTestPostern({
      logger,
      databaseIsolation: {
        // A host application in JavaScript may return any value.
        getAdapters: async (tenantId) => (result === undefined ? stores.isolation.getAdapters(tenantId) : (result as DataAdapter)),
      },
    });
    await service.postern.close();
    result = invalid;
    const rejected = await requestToken(service, "other");
    expect(rejected).toMatchObject({ status: 503, body: { error: "temporarily_unavailable" } });
    expect(JSON.stringify(rejected.body)).not.toMatch(message);
    expect((await requestToken(service, "main")).status).toBe(200);
    const [entry] = entriesOf("database_unavailable");
    expect(entry).toMatchObject({ tenant_id: "other" });
    expect(String(entry?.["error"])).toMatch(message);

    result = undefined;
    service.clock.advance("1s");
    expect((await requestToken(service, "other")).status).toBe(200);
  },
);

test("a database that cannot be opened is retried once per second, independent of the number of requests", async () => {
  const stores = tenantStores();
  let [fails, attempts] = [false, 0];
  const { logger, entriesOf } = createRecordingLogger();
  const service = await createTestPostern({
    logger,
    databaseIsolation: {
      async getAdapters(tenantId) {
        attempts++;
        if (fails) throw new Error("no route to host");
        return stores.isolation.getAdapters(tenantId);
      },
    },
  });
  await service.postern.close();
  [fails, attempts] = [true, 0];
  for (let second = 1; second <= 3; second++) {
    const responses = await Promise.all(Array.from({ length: 32 }, () => requestToken(service, "other")));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([503]));
    expect(attempts).toBe(second);
    service.clock.advance("1s");
  }
  expect(entriesOf("database_unavailable")).toHaveLength(3);
});

test("an adapter whose check fails is closed", async () => {
  let closed = 0;
  const adapter = createMemoryAdapter({ strict: true });
  const service = await createTestPostern({
    logger: createRecordingLogger().logger,
    databaseIsolation: {
      getAdapters: () => ({ ...adapter, check: () => Promise.reject(new Error("wrong")), close: async () => void closed++ }),
    },
  }).catch((error: unknown) => error);
  expect(service).toMatchObject({ name: "UnavailableError" });
  expect(closed).toBe(1);
});

test("rejects work on a database that was encrypted with another secret", async () => {
  const stores = tenantStores();
  const data = createMemoryAdapter({ strict: true });
  const first = await createTestPostern({ data, databaseIsolation: stores.isolation });
  const token = await first.token("other");
  expect((await first.call("POST", "/api/v2/keys/signing/rotate", { token })).status).toBe(201);
  await first.postern.close();
  // For example, the tenant's database was restored from another installation.
  const otherInstallation = await createTestPostern({
    logger: createRecordingLogger().logger,
    databaseIsolation: stores.isolation,
    crypto: { secret: "another-secret-another-secret-32" },
  }).catch((error: unknown) => error);
  expect(otherInstallation).toMatchObject({
    name: "UnavailableError",
    cause: { message: expect.stringMatching(/the secret cannot decrypt/) },
  });
});

test("a database that fails after it was opened affects only requests to its tenant", async () => {
  const stores = tenantStores();
  let broken = false;
  const service = await createTestPostern({
    logger: createRecordingLogger().logger,
    databaseIsolation: {
      async getAdapters(tenantId) {
        const adapter = await stores.isolation.getAdapters(tenantId);
        if (adapter === undefined) throw new Error("every tenant has a database");
        return {
          ...adapter,
          collections: wrapCollections(adapter.collections, (query) => {
            if (broken) throw Object.assign(new Error("gone"), { name: "UnavailableError" });
            return query();
          }),
        };
      },
    },
  });
  const token = await service.token("other");
  broken = true;
  expect((await service.call("GET", "/api/v2/users", { token })).status).toBe(503);
  expect((await requestToken(service, "main")).status).toBe(200);
  broken = false;
  expect((await service.call("GET", "/api/v2/users", { token })).status).toBe(200);
});
