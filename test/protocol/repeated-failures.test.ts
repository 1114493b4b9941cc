import { expect, test } from "vitest";
import { list, type JsonBody } from "../support/api.ts";
import { createTestPostern, issuer, type TestPostern } from "../support/postern.ts";

/** Sends a wrong client secret from a client address. */
async function fail({ postern }: TestPostern, clientAddress?: string, client_id = "main-manager"): Promise<void> {
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret: "wrong" });
  const response = await postern.fetch(new Request(`${issuer}oauth/token`, { method: "POST", body }), {
    ...(clientAddress !== undefined && { clientAddress }),
  });
  expect(response.status).toBe(401);
}

async function times(number: number, run: () => Promise<void>): Promise<void> {
  for (let i = 0; i < number; i++) await run();
}

/** The log events of failed client credentials, oldest first, as the API returns them. */
async function failures(service: TestPostern): Promise<readonly JsonBody[]> {
  const rows: JsonBody[] = [];
  for (let page = 0; page < 5; page++) {
    const query = new URLSearchParams({ q: "type:feccft", sort: "date:1", per_page: "100", page: String(page) });
    rows.push(...list(await service.call("GET", `/api/v2/logs?${query}`, { token: await service.token() })));
  }
  return rows;
}

test("logs each of the first failures of one kind from an address in its own row, and counts later failures in one row", async () => {
  const service = await createTestPostern();
  const startedAt = service.clock.now();
  await times(60, () => fail(service, "198.51.100.7"));
  service.clock.advance("10s");
  await times(200, () => fail(service, "198.51.100.7"));
  expect(await failures(service)).toHaveLength(60);

  service.clock.advance("51s");
  await service.postern.jobs.sweep();
  const rows = await failures(service);
  expect(rows).toHaveLength(61);
  expect(rows.at(-1)).toMatchObject({
    type: "feccft",
    ip: "198.51.100.7",
    client_id: "main-manager",
    date: new Date(startedAt + 61_000).toISOString(),
    details: { count: 200, first_at: new Date(startedAt + 10_000).toISOString(), last_at: new Date(startedAt + 10_000).toISOString() },
  });
  expect(rows.slice(0, 60).every(({ details }) => (details as JsonBody)["count"] === undefined)).toBe(true);
});

test("lists a count for each client in the aggregated row, so that many failures of one client cannot hide those of another", async () => {
  const service = await createTestPostern();
  await times(60, () => fail(service, "198.51.100.7", "app-1"));
  await times(200, () => fail(service, "198.51.100.7"));
  await fail(service, "198.51.100.7", "app-1");
  service.clock.advance("61s");
  await service.postern.jobs.sweep();
  expect((await failures(service)).at(-1)).toMatchObject({
    client_id: "",
    details: { count: 201, clients: { "main-manager": 200, "app-1": 1 } },
  });
});

test("writes the count with the next event after the minute, without a sweep, and keeps counting until a minute without failures", async () => {
  const service = await createTestPostern();
  const counts = async () =>
    (await failures(service)).map(({ details }) => (details as JsonBody)["count"]).filter((count) => count !== undefined);
  await times(65, () => fail(service, "198.51.100.7"));
  service.clock.advance("61s");
  await times(100, () => fail(service, "198.51.100.7"));
  expect(await failures(service)).toHaveLength(60 + 1);
  service.clock.advance("61s");
  await service.postern.jobs.sweep();
  expect(await counts()).toEqual([5, 100]);

  service.clock.advance("121s");
  await fail(service, "198.51.100.7");
  expect(await failures(service)).toHaveLength(60 + 2 + 1);

  // After a minute with counted failures and a minute without any, the next failure has its own row again.
  await times(64, () => fail(service, "198.51.100.7"));
  service.clock.advance("121s");
  await fail(service, "198.51.100.7");
  expect(await counts()).toEqual([5, 100, 5]);
  expect(await service.data.collections.logs.count({ tenant_id: "main", type: "feccft" })).toBe(60 + 2 + 60 + 1 + 1);
});

test("counts separately for each address, tenant and kind; an IPv6 /64 network counts as one address", async () => {
  const service = await createTestPostern();
  await times(70, () => fail(service, "198.51.100.7"));
  await fail(service, "198.51.100.8");
  const body = new URLSearchParams({ grant_type: "client_credentials", client_id: "other-manager", client_secret: "wrong" });
  await service.postern.fetch(new Request(`${issuer}oauth/token`, { method: "POST", body }), { clientAddress: "198.51.100.7" });
  expect(await service.data.collections.logs.count({ tenant_id: "other", type: "feccft" })).toBe(1);
  const refresh = new URLSearchParams({
    grant_type: "refresh_token",
    client_id: "main-manager",
    client_secret: "wrong",
    refresh_token: "x",
  });
  await service.postern.fetch(new Request(`${issuer}oauth/token`, { method: "POST", body: refresh }), { clientAddress: "198.51.100.7" });
  expect(await service.data.collections.logs.count({ tenant_id: "main", type: "fertft" })).toBe(1);
  let last = 0;
  await times(70, () => fail(service, `2001:db8:1:2::${(++last).toString(16)}`));
  await fail(service, "2001:db8:1:3::1");
  expect(await failures(service)).toHaveLength(60 + 1 + 60 + 1);
});

test("failures from unknown addresses get ten times as many rows as those from a known address, and are counted separately", async () => {
  const service = await createTestPostern();
  const stored = () => service.data.collections.logs.count({ tenant_id: "main", type: "feccft" });
  await times(700, () => fail(service));
  expect(await stored()).toBe(600);
  await fail(service, "198.51.100.7");
  expect(await stored()).toBe(601);
  service.clock.advance("61s");
  await service.postern.jobs.sweep();
  const rows = await service.data.collections.logs.find({ where: { tenant_id: "main", type: "feccft" }, limit: 1000 });
  expect(rows.flatMap(({ ip, details }) => ("count" in details ? [{ ip, count: details["count"] }] : []))).toEqual([
    { ip: "", count: 100 },
  ]);
  // In the next minute, no failure gets its own row: failures are still aggregated.
  await times(50, () => fail(service));
  expect(await stored()).toBe(602);
});

test("never aggregates successful requests", async () => {
  const service = await createTestPostern();
  await times(90, async () => void (await service.token()));
  expect(await service.data.collections.logs.count({ tenant_id: "main", type: "seccft" })).toBe(90);
});
