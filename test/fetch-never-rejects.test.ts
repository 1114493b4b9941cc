import { expect, test, vi } from "vitest";
import type { Logger, LogEntry, Postern, PosternOptions } from "@postern/core";
import type { AnyRow, Collection, Collections, DataAdapter } from "@postern/core/adapter";
import { createPostern } from "@postern/core";
import { UnavailableError } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { createTestPostern, issuer } from "./support/postern.ts";

/** Requests of every error format: pages, redirects, OAuth JSON and Management API JSON. */
const requests: readonly (readonly [method: string, path: string, body?: string])[] = [
  ["GET", "authorize?client_id=unknown&response_type=code&redirect_uri=https://app.example.test/"],
  ["GET", "authorize?client_id=main-manager&response_type=code&redirect_uri=https://app.example.test/"],
  ["GET", "u/login?state=main.unknown"],
  ["POST", "u/login?state=main.unknown", "action=continue"],
  ["GET", "v2/logout?client_id=main-manager&returnTo=https://evil.example.test/"],
  ["GET", "u/reset-password?ticket=main.unknown"],
  ["POST", "oauth/token", "grant_type=client_credentials&client_id=main-manager&client_secret=wrong"],
  ["GET", "userinfo"],
  ["GET", "api/v2/users"],
  ["GET", "nothing/here"],
];

/** Wraps a data adapter: calls succeed while `allowed` returns `true`, and reject afterwards. */
function failingAfter(inner: DataAdapter, allowed: () => boolean): DataAdapter {
  const collections: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(inner.collections)) {
    const collection = value as unknown as Collection<AnyRow>;
    const guard = <T>(call: () => Promise<T>): Promise<T> =>
      allowed() ? call() : Promise.reject(new UnavailableError("the database is gone"));
    collections[name] = {
      ...collection,
      insert: (rows) => guard(() => collection.insert(rows)),
      find: (query) => guard(() => collection.find(query)),
      count: (where, filter) => guard(() => collection.count(where, filter)),
      update: (where, change) => guard(() => collection.update(where, change)),
      delete: (where) => guard(() => collection.delete(where)),
    } satisfies Collection<AnyRow>;
  }
  return { ...inner, collections: collections as unknown as Collections };
}

/** Collects unhandled rejections while `run` runs, and in the next turn of the event loop. */
async function unhandledRejections(run: () => Promise<void>): Promise<unknown[]> {
  const rejections: unknown[] = [];
  const record = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", record);
  try {
    await run();
    await new Promise((resolve) => setTimeout(resolve, 0));
  } finally {
    process.off("unhandledRejection", record);
  }
  return rejections;
}

/** Opens a service without cached data on a data store that is already seeded. */
function open(data: DataAdapter, options: Partial<PosternOptions> = {}): Postern {
  return createPostern({
    issuer,
    data,
    crypto: { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" },
    defaultTenantId: "main",
    controlPlane: { tenantId: "main" },
    logger: { log() {} },
    ...options,
  });
}

function toRequest([method, path, body]: (typeof requests)[number]): Request {
  const headers = { ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded", origin: "https://id.example.test" }) };
  return new Request(issuer + path, { method, headers, ...(body !== undefined && { body }) });
}

test("responds to every request, whichever database call is the first to fail", async () => {
  const data = createMemoryAdapter();
  await createTestPostern({ data });
  const unhandled = await unhandledRejections(async () => {
    for (const request of requests) {
      let calls = 0;
      for (let limit = 0; limit <= calls; limit++) {
        calls = 0;
        const postern = open(failingAfter(data, () => calls++ < limit));
        const response = await postern.fetch(toRequest(request));
        expect(response.headers.get("x-request-id"), request[1]).toBeTruthy();
        expect(response.status, `${request[1]} with ${limit} calls`).toBeGreaterThanOrEqual(300);
        await response.text();
      }
    }
  });
  expect(unhandled).toEqual([]);
});

test("shows a page without the tenant's texts when the database fails while an error page is rendered", async () => {
  const data = createMemoryAdapter();
  let reachable = true;
  const { postern } = await createTestPostern({ data: failingAfter(data, () => reachable) });
  const page = (): Promise<Response> => postern.fetch(toRequest(["GET", "authorize?client_id=unknown&response_type=code"]));
  const branded = await (await page()).text();
  expect(branded).toContain("<title>");
  reachable = false;
  const plain = await postern.fetch(
    new Request(`${issuer}u/login?state=main.unknown`, { headers: { accept: "text/html", "accept-language": "de" } }),
  );
  expect(plain.status).toBe(503);
  expect(plain.headers.get("content-type")).toMatch(/^text\/html/);
  expect(plain.headers.get("retry-after")).toBe("1");
  const html = await plain.text();
  expect(html).toContain('lang="de"');
  expect(html).toContain("temporarily_unavailable");
});

/** `log` may be an async function, because TypeScript allows one where `void` is expected. */
const brokenLoggers: readonly (readonly [string, Logger])[] = [
  [
    "throws",
    {
      log() {
        throw new Error("the log is full");
      },
    },
  ],
  [
    "rejects",
    {
      // oxlint-disable-next-line typescript/no-misused-promises -- this mistake of a host is what the test covers
      async log() {
        throw new Error("the log is full");
      },
    },
  ],
];

test.each(brokenLoggers)("responds when the logger %s", async (_, logger) => {
  const data = createMemoryAdapter();
  let reachable = true;
  const { postern } = await createTestPostern({ data: failingAfter(data, () => reachable), logger });
  reachable = false;
  const standardError = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const unhandled = await unhandledRejections(async () => {
      for (const request of requests) {
        const response = await postern.fetch(toRequest(request));
        expect(response.status, request[1]).toBeGreaterThanOrEqual(300);
      }
    });
    expect(unhandled).toEqual([]);
    // The entries are written to standard error, with the logger's error.
    const written = standardError.mock.calls.map(([line]) => String(line));
    expect(written.some((line) => line.includes("the log is full"))).toBe(true);
    expect(written.some((line) => line.includes("the database is gone"))).toBe(true);
  } finally {
    standardError.mockRestore();
  }
});

test("responds to requests of a tenant whose database cannot be opened, and serves other tenants", async () => {
  const data = createMemoryAdapter();
  await createTestPostern({ data });
  const entries: LogEntry[] = [];
  const postern = open(data, {
    databaseIsolation: {
      getAdapters(tenantId) {
        if (tenantId === "other") throw new Error("there is no such database");
        return undefined;
      },
    },
    logger: { log: (entry) => void entries.push(entry) },
  });
  const unhandled = await unhandledRejections(async () => {
    for (const path of ["authorize?client_id=other-manager", "u/login?state=other.unknown", "oauth/token"]) {
      const response = await postern.fetch(new Request(issuer + path, { headers: { "tenant-id": "other" } }));
      expect(response.status, path).toBeGreaterThanOrEqual(400);
    }
    expect((await postern.fetch(toRequest(["GET", ".well-known/jwks.json"]))).status).toBe(200);
  });
  expect(unhandled).toEqual([]);
  expect(entries.some(({ event }) => event === "database_unavailable")).toBe(true);
});
