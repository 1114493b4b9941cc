import { beforeEach, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { clientSecret, createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

/** A request can name any text as a tenant id. Text that equals the cache key of another row must not find that row. */

const identifier = "https://foo/tenants/";
const poisoned = ["identifier:https://foo", "any:identifier:https://foo"].flatMap((key) => [
  `other/resource_servers/${key}`,
  JSON.stringify(["other", "resource_servers", ...key.split(":")]).slice(1, -1),
]);
let service: TestPostern;
let other: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  other = await managerOf(service, "other");
  await other.create("/api/v2/resource-servers", { name: "Foo", identifier });
  await warmCache();
});

/** Makes the process cache the API. */
async function warmCache(): Promise<void> {
  const body = { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience: identifier };
  expect((await service.call("POST", "/oauth/token", { body })).status).toBe(400);
}

const unsignedToken = (tenantId: string): string =>
  [{ alg: "ES256", kid: "1" }, { tenant_id: tenantId, exp: 1 }, "signature"]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");

/** The ways in which a request without a Management API token can name a tenant. */
const methods: { readonly [name: string]: (tenantId: string) => Promise<ApiResponse> } = {
  "the tenant-id header": (tenantId) => service.call("GET", "/.well-known/jwks.json", { headers: { "tenant-id": tenantId } }),
  "the tenant-id header of a token request": (tenantId) =>
    service.call("POST", "/oauth/token", {
      headers: { "tenant-id": tenantId },
      body: { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience: identifier },
    }),
  state: (tenantId) => service.call("GET", `/u/login?state=${encodeURIComponent(`${tenantId}.1`)}`),
  ticket: (tenantId) => service.call("GET", `/u/reset-password?ticket=${encodeURIComponent(`${tenantId}.1`)}`),
  "an unsigned id_token_hint": (tenantId) => service.call("GET", `/oidc/logout?id_token_hint=${unsignedToken(tenantId)}`),
};

test.each(Object.entries(methods))("responds to an invalid tenant id in %s as to an unknown tenant", async (_, send) => {
  const unknown = await send("unknown");
  expect(unknown.status).toBeLessThan(500);
  for (const id of ["A", "__proto__", "api", "a".repeat(64), ...poisoned]) {
    expect({ id, status: (await send(id)).status }).toEqual({ id, status: unknown.status });
  }
  expect(service.faults).toEqual([]);
});

test("a Management API request with a poisoned tenant-id header is rejected", async () => {
  const token = await service.token();
  for (const id of poisoned) {
    expectError(await service.call("GET", "/api/v2/clients", { token, headers: { "tenant-id": id } }), 403, "forbidden");
  }
  expect((await service.call("GET", "/api/v2/clients", { token })).status).toBe(200);
});

test("the tenants API responds with 404 to a poisoned tenant id in the path", async () => {
  const main = await managerOf(service);
  for (const id of poisoned) {
    for (const method of ["GET", "PATCH", "DELETE"] as const) {
      const response = await main(method, `/tenants/${encodeURIComponent(id)}`, method === "PATCH" ? { name: "Other" } : undefined);
      expectError(response, 404, "not_found");
    }
  }
  jsonBody(await main("GET", "/tenants/other"));
});

test("an in-process call with a poisoned tenant id is rejected", async () => {
  for (const id of poisoned) {
    await expect(service.postern.tenant(id).clients.list()).rejects.toMatchObject({ code: "not_found" });
  }
});
