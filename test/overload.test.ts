import type { AnyRow, Collection, Collections, DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createTestPostern } from "./support/postern.ts";

/** A data store that answers queries about users only after `release`. `queries()` returns how many have arrived. */
function slowUsers() {
  const inner = createMemoryAdapter();
  let arrived = 0;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const users = inner.collections.users as unknown as Collection<AnyRow>;
  const slow: Collection<AnyRow> = {
    ...users,
    find: (query) => {
      arrived++;
      return released.then(() => users.find(query));
    },
  };
  const data: DataAdapter = { ...inner, collections: { ...inner.collections, users: slow } as unknown as Collections };
  return { data, release, queries: () => arrived };
}

test("responds with 503 above the limit on requests in flight, and continues to serve keys and other tenants", async () => {
  const { data, release, queries } = slowUsers();
  const service = await createTestPostern({ data, limits: { inFlight: 4, waitMs: 0 } });
  const token = await service.token("main");
  const otherToken = await service.token("other");
  const own = [1, 2].map(() => service.call("GET", "/api/v2/users", { token }));
  await expect.poll(queries).toBe(2);

  const refused = await service.call("GET", "/api/v2/clients", { token });
  expect(refused).toMatchObject({
    status: 503,
    body: { statusCode: 503, message: "the service is handling too many requests; try again" },
  });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await service.call("GET", "/api/v2/clients", { token: otherToken })).toMatchObject({ status: 200 });

  const others = [1, 2].map(() => service.call("GET", "/api/v2/users", { token: otherToken }));
  await expect.poll(queries).toBe(4);
  expect(await service.call("GET", "/api/v2/clients", { token: otherToken })).toMatchObject({ status: 503 });
  expect(await service.call("GET", "/.well-known/jwks.json")).toMatchObject({ status: 200 });
  expect(await service.call("GET", "/.well-known/openid-configuration")).toMatchObject({ status: 200 });

  release();
  expect((await Promise.all([...own, ...others])).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await service.call("GET", "/api/v2/clients", { token })).toMatchObject({ status: 200 });
  expect(service.faults).toEqual([]);
});

test("handles requests that wait less than `limits.waitMs`", async () => {
  const { data, release } = slowUsers();
  const service = await createTestPostern({ data, limits: { inFlight: 2, waitMs: 10_000 } });
  const token = await service.token();
  const calls = Array.from({ length: 10 }, () => service.call("GET", "/api/v2/users", { token }));
  setTimeout(release, 20);
  expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
});

test.each([
  [{ inFlight: 0 }, "'limits.inFlight' is 0: pass a whole number above 0"],
  [{ waitMs: -1 }, "'limits.waitMs' is -1: pass a number of milliseconds from 0 to 60,000"],
])("rejects the option %j at start", async (limits, message) => {
  await expect(createTestPostern({ limits })).rejects.toThrow(message);
});
