import { beforeAll, describe, expect, test, vi } from "vitest";
import { createTestPostern, issuer, type TestPostern } from "../../../../test/support/postern.ts";
import { loads } from "../../test/invented-api.ts";

// The only new entry in the table.
vi.mock(import("./apis.ts"), async (original) => {
  const real = await original();
  return { ...real, apis: [(await import("../../test/invented-api.ts")).inventedApi, ...real.apis] };
});

describe("an API that only the table of APIs knows", () => {
  const token = "reader";
  let service: TestPostern;

  beforeAll(async () => {
    service = await createTestPostern();
  });

  test("loads its routes on the first request for it, once", async () => {
    expect(loads.count).toBe(0);
    expect(await service.call("GET", "/things/v1/thing", { token })).toMatchObject({
      status: 200,
      body: { tenant: "main", subject: "reader", size: "default" },
    });
    await service.call("GET", "/things/v1/thing", { token });
    expect(loads.count).toBe(1);
  });

  test("has its own error format, also for paths without a route and for browsers", async () => {
    expect(await service.call("POST", "/things/v1/thing", { token, body: { size: "large" } })).toMatchObject({
      status: 403,
      body: { type: "urn:things:insufficient_scope", title: "readers only read", status: 403 },
    });
    expect(await service.call("GET", "/things/v1/none", { token, headers: { accept: "text/html" } })).toMatchObject({
      status: 404,
      body: { type: "urn:things:not_found", status: 404 },
    });
  });

  test("authenticates its callers before they learn which routes exist", async () => {
    for (const path of ["/things/v1/thing", "/things/v1/none"]) {
      expect(await service.call("GET", path, { token: "other" })).toMatchObject({
        status: 401,
        body: { type: "urn:things:invalid_token", title: "not a reader" },
      });
    }
  });

  test("rejects unknown parameters and accepts lists with brackets, as its row says", async () => {
    expect(await service.call("GET", "/things/v1/thing?size=large", { token })).toMatchObject({ body: { size: "large" } });
    expect(await service.call("GET", "/things/v1/thing?colour=red", { token })).toMatchObject({
      status: 400,
      body: { type: "urn:things:invalid_request", title: expect.stringContaining("colour") },
    });
    expect(await service.call("GET", "/things/v1/thing?size[]=a", { token })).toMatchObject({
      status: 400,
      body: { title: "query: 'size' must not be a list" },
    });
  });

  test("limits a route by client address before the body is read", async () => {
    const put = (clientAddress: string, body: string) =>
      service.postern.fetch(new Request(`${issuer}things/v1/thing`, { method: "PUT", headers: { authorization: "Bearer reader" }, body }), {
        clientAddress,
      });
    for (const status of [415, 415, 429]) expect((await put("192.0.2.7", "not read")).status).toBe(status);
    expect(Number((await put("192.0.2.7", "not read")).headers.get("retry-after"))).toBeGreaterThan(3590);
    expect((await put("192.0.2.8", "not read")).status).toBe(415);
  });

  test("leaves the other APIs unchanged", async () => {
    expect(await service.call("GET", "/things/v1x", { headers: { accept: "text/html" } })).toMatchObject({
      status: 404,
      body: expect.stringContaining("<html"),
    });
    expect(await service.call("GET", "/api/v2/none")).toMatchObject({ status: 401, body: { statusCode: 401 } });
    expect(await service.call("GET", "/.well-known/openid-configuration?colour=red")).toMatchObject({ status: 200 });
  });
});
