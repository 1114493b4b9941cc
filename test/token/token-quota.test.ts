import { beforeAll, describe, expect, test } from "vitest";
import { HttpResponseHeadersUtils } from "auth0";
import { auditEvents, expectError, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { countingAdapter, type CountingAdapter } from "../support/counting-adapter.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";
import { createMemoryAdapter } from "@postern/memory";

const audience = "https://api.example.test/things";

let data: CountingAdapter;
let service: TestPostern;
/** Each call uses a new token, because tests advance the clock past the token lifetime. */
const manage: Manager = Object.assign(async (...sent: Parameters<Manager>) => (await managerOf(service))(...sent), {
  create: async (path: string, body: unknown) => (await managerOf(service)).create(path, body),
});

beforeAll(async () => {
  data = countingAdapter(createMemoryAdapter({ strict: true }));
  service = await createTestPostern({ data });
  await manage.create("/api/v2/resource-servers", { identifier: audience, scopes: [{ value: "read:things" }] });
});

interface Machine {
  readonly id: string;
  request(more?: JsonBody): Promise<ApiResponse>;
}

const quotaOf = (client_credentials: JsonBody): JsonBody => ({ token_quota: { client_credentials } });

async function machine(settings: JsonBody = {}): Promise<Machine> {
  const client = await manage.create("/api/v2/clients", { name: "Machine", app_type: "non_interactive", ...settings });
  const id = stringMember(client, "client_id");
  const grant = { client_id: id, audience, scope: ["read:things"], organization_usage: "allow", allow_any_organization: true };
  await manage.create("/api/v2/client-grants", grant);
  const body = { grant_type: "client_credentials", client_id: id, client_secret: stringMember(client, "client_secret"), audience };
  return { id, request: (more = {}) => service.call("POST", "/oauth/token", { body: { ...body, ...more } }) };
}

const obtainTokens = async ({ request }: Machine, times: number, more: JsonBody = {}): Promise<void> => {
  for (let i = 0; i < times; i++) jsonBody(await request(more));
};

/** Moves to half past an hour, so that neither the hour nor the day ends soon. */
const startOfHour = (): void => service.clock.advance(`${90 * 60_000 - (service.clock.now() % 3_600_000)}ms`);

describe("a client with a token quota", () => {
  test("gets the tokens of its hourly quota, then 429 with the time until a retry, also in Auth0's headers", async () => {
    startOfHour();
    const client = await machine(quotaOf({ enforce: true, per_hour: 3, per_day: 5 }));
    await obtainTokens(client, 3);
    const rejected = await client.request();
    expectError(rejected, 429, "TOO_MANY_REQUESTS", "quota");
    expect(rejected.headers.get("retry-after")).toBe(String(30 * 60));
    const quota = HttpResponseHeadersUtils.getClientQuotaLimit(rejected.headers);
    expect(quota?.perHour).toEqual({ quota: 3, remaining: 0, resetAfter: 30 * 60 });
    expect(quota?.perDay).toMatchObject({ quota: 5, remaining: 2 });
    expect(rejected.headers.get("auth0-organization-quota-limit")).toBeNull();

    service.clock.advance("30m");
    await obtainTokens(client, 2);
    const daily = await client.request();
    expectError(daily, 429, "TOO_MANY_REQUESTS", "quota");
    expect(Number(daily.headers.get("retry-after"))).toBeGreaterThan(3600);
    service.clock.advance("1d");
    await obtainTokens(client, 3);
    await service.postern.jobs.sweep();
    expectError(await client.request(), 429, "TOO_MANY_REQUESTS", "quota");
    service.clock.advance("2d");
    await service.postern.jobs.sweep();
    expect(await service.data.collections.token_counts.count({ tenant_id: "main", subject: `client:${client.id}` })).toBe(0);
  });

  test("never gets more tokens for parallel requests", async () => {
    startOfHour();
    const client = await machine(quotaOf({ per_hour: 5 }));
    const responses = await Promise.all(Array.from({ length: 32 }, () => client.request()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(27);
    service.clock.advance("1h");
    const later = await Promise.all(Array.from({ length: 32 }, () => client.request()));
    expect(
      later.filter(({ status }) => status === 200),
      "when another hour begins",
    ).toHaveLength(5);
  });

  test("gets its tokens if the quota is not enforced, and the exceeded quota is logged", async () => {
    startOfHour();
    const client = await machine(quotaOf({ enforce: false, per_day: 1 }));
    await obtainTokens(client, 3);
    service.clock.advance("5s");
    const messages = (await auditEvents(manage, "seccft")).filter((event) => event["client_id"] === client.id);
    expect(messages.map(({ description = "" }) => String(description).includes("quota"))).toEqual([true, true, false]);
  });

  test("uses its quota only for issued tokens, not for rejected requests", async () => {
    startOfHour();
    const client = await machine(quotaOf({ per_hour: 1 }));
    expectError(await client.request({ scope: "purge:things" }), 400, "invalid_scope");
    await obtainTokens(client, 1);
  });

  test("costs one more statement for a token than a client without a quota", async () => {
    const [plain, limited] = [await machine(), await machine(quotaOf({ per_hour: 10 }))];
    for (const { request } of [plain, limited]) jsonBody(await request());
    const statements = async ({ request }: Machine): Promise<number> =>
      (await data.costOf(async () => jsonBody(await request()))).statements.length;
    expect([await statements(plain), await statements(limited)]).toEqual([1, 2]);
  });
});

describe("an organization with a token quota", () => {
  test("uses its quota for the tokens of all clients, and a request that it rejects does not use the client's quota", async () => {
    startOfHour();
    const organization = await manage.create("/api/v2/organizations", { name: "acme", ...quotaOf({ per_hour: 2 }) });
    const [one, other] = [await machine(quotaOf({ per_hour: 2 })), await machine()];
    const inAcme = { organization: stringMember(organization, "id") };
    await obtainTokens(one, 1, inAcme);
    await obtainTokens(other, 1, { organization: "acme" });
    const rejected = await one.request(inAcme);
    expectError(rejected, 429, "TOO_MANY_REQUESTS", "organization");
    expect(HttpResponseHeadersUtils.getOrganizationQuotaLimit(rejected.headers)?.perHour).toMatchObject({ quota: 2, remaining: 0 });
    await obtainTokens(one, 1);
    expectError(await one.request(), 429, "TOO_MANY_REQUESTS", "client");
  });
});

test("the tenant's default quota applies to clients and organizations without their own", async () => {
  startOfHour();
  const [defaults, own] = [await machine(), await machine(quotaOf({ per_hour: 3 }))];
  const organization = await manage.create("/api/v2/organizations", { name: "default-co" });
  const quota = (per_hour: number) => ({ client_credentials: { per_hour } });
  const change = async (value: JsonBody | null) =>
    jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { default_token_quota: value }));
  await change({ clients: quota(2), organizations: quota(1) });
  try {
    await obtainTokens(defaults, 1);
    await obtainTokens(defaults, 1, { organization: stringMember(organization, "id") });
    expectError(await defaults.request(), 429, "TOO_MANY_REQUESTS", "client");
    expectError(await own.request({ organization: stringMember(organization, "id") }), 429, "TOO_MANY_REQUESTS", "organization");
    await obtainTokens(own, 3);
    expectError(await own.request(), 429, "TOO_MANY_REQUESTS", "client");
  } finally {
    // The request that removes the quota needs a token as well, which the next hour allows.
    service.clock.advance("1h");
    await change(null);
  }
});
