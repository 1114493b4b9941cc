import { beforeEach, describe, expect, test } from "vitest";
import { auditEvents, expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

/** Audit events of successful and rejected writes through the Management API. */

let service: TestPostern;
let manage: Manager;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

const connection = "Username-Password-Authentication";
const newest = async (type: string): Promise<JsonBody> => (await auditEvents(manage, type))[0] ?? {};
const bodyOf = (event: JsonBody): unknown => (event["details"] as { request?: { body?: unknown } }).request?.body;

describe("an audit event of a change", () => {
  test("contains the client's name and the request", async () => {
    await manage.create("/api/v2/roles", { name: "Editor", description: "Writes" });
    expect(await newest("sapi")).toMatchObject({
      description: "Create a role",
      client_id: "main-manager",
      client_name: "Manager",
      details: {
        request: { method: "POST", path: "/api/v2/roles", body: { name: "Editor", description: "Writes" } },
        response: { statusCode: 201 },
      },
    });
    await manage("DELETE", "/api/v2/roles/none");
    expect(await newest("sapi")).toMatchObject({ details: { request: { method: "DELETE", path: "/api/v2/roles/none" } } });
    expect(bodyOf(await newest("sapi"))).toBeUndefined();
  });

  test("contains no secret of the request, at any depth", async () => {
    const secret = "sEcret-of-this-test-0123456789abcdef";
    const redacted = "[left out]";
    await manage.create("/api/v2/users", {
      connection,
      email: "a@example.test",
      password: secret,
      app_metadata: { deep: [{ apiKey: secret }] },
    });
    expect(bodyOf(await newest("sapi"))).toEqual({
      connection,
      email: "a@example.test",
      password: redacted,
      app_metadata: { deep: [{ apiKey: redacted }] },
    });

    const options = {
      client_id: "x",
      client_secret: secret,
      issuer: "https://up.example.test",
      customHeaders: { "x-custom": secret },
      configuration: { DB: secret },
      signing_key: { key: secret, cert: "CERT" },
      twilio_token: secret,
    };
    await manage("POST", "/api/v2/connections", { name: "upstream", strategy: "oidc", options });
    expect(bodyOf(await newest("sapi"))).toMatchObject({
      options: { client_id: "x", client_secret: redacted, signing_key: { cert: "CERT" } },
    });

    const app = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "regular_web" }), "client_id");
    const refresh_token = { rotation_type: "rotating", expiration_type: "expiring" };
    jsonBody(await manage("PATCH", `/api/v2/clients/${app}`, { client_secret: secret, refresh_token }));
    expect(bodyOf(await newest("sapi"))).toEqual({ client_secret: redacted, refresh_token });

    expectError(await manage("POST", "/api/v2/users", { connection, password: [secret], credentials: { secret } }), 400, "invalid_request");
    expectError(await manage("POST", "/api/v2/users/none/identities", { link_with: secret }), 404, "not_found");
    expectError(await manage("PATCH", "/api/v2/users/none", { password: { value: secret } }), 400, "invalid_request");
    expectError(await manage("POST", "/api/v2/users", secret), 400, "invalid_request");

    const { logs } = service.data.collections;
    const rows = await logs.find({ where: { tenant_id: "main" }, orderBy: { fields: ["log_id"], direction: "asc" }, limit: 100 });
    expect(rows.length).toBeGreaterThan(7);
    expect(JSON.stringify(rows)).not.toContain("sEcret");
  });

  test("stays small, however large the request is", async () => {
    const large = { connection, email: "a@example.test", user_metadata: { essay: "x".repeat(60_000) }, app_metadata: { plan: "free" } };
    await manage.create("/api/v2/users", large);
    expect(bodyOf(await newest("sapi"))).toEqual({
      connection,
      email: "a@example.test",
      user_metadata: "[left out: 60012 characters]",
      app_metadata: { plan: "free" },
    });
    await manage("POST", "/api/v2/users", Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`name${index}`, index])));
    await manage("DELETE", `/api/v2/users/${"y".repeat(100_000)}`);
    const rows = [...(await auditEvents(manage, "sapi")), ...(await auditEvents(manage, "fapi"))];
    for (const row of rows) expect(JSON.stringify(row).length).toBeLessThan(12_000);
  });
});

describe("an audit event of a rejected change", () => {
  test.each([
    ["invalid body", "POST", "/api/v2/roles", { name: "x", nonsense: 1 }, 400, "nonsense"],
    ["missing resource", "PATCH", "/api/v2/users/none", { name: "x" }, 404, "does not exist"],
    ["conflict", "POST", "/api/v2/resource-servers", { identifier: "api/v2/" }, 409, "identifier"],
    ["protected resource", "DELETE", "/api/v2/clients/main-manager", undefined, 403, "itself"],
    ["unsupported method", "PUT", "/api/v2/roles", {}, 405, "PUT /api/v2/roles is not served"],
    ["unknown path", "POST", "/api/v2/rules", {}, 404, "POST /api/v2/rules is not served"],
  ] as const)("contains the reason: %s", async (_what, method, path, body, status, reason) => {
    expect((await manage(method, path, body)).status).toBe(status);
    expect(await auditEvents(manage, "fapi")).toHaveLength(1);
    expect(await newest("fapi")).toMatchObject({
      description: expect.stringContaining(reason),
      client_id: "main-manager",
      client_name: "Manager",
      ip: "192.0.2.1",
      details: { request: { method, path }, response: { statusCode: status } },
    });
    expect(await auditEvents(manage, "sapi")).toEqual([]);
  });

  test("is written if a scope is missing", async () => {
    const token = await tokenWith(service, manage, ["read:roles"]);
    const before = (await auditEvents(manage, "sapi")).length;
    expectError(await service.call("POST", "/api/v2/roles", { token, body: { name: "Mine" } }), 403, "insufficient_scope");
    expect(await newest("fapi")).toMatchObject({
      client_name: "Narrow",
      description: expect.stringContaining("create:roles"),
      details: { request: { body: { name: "Mine" } }, response: { statusCode: 403 } },
    });
    expect(await auditEvents(manage, "sapi")).toHaveLength(before);
  });

  test("of another tenant is written only in the tenant of the token", async () => {
    const headers = { "tenant-id": "other" };
    expectError(await manage("POST", "/api/v2/roles", { name: "Foreign" }, headers), 403, "forbidden");
    expectError(await manage("POST", "/api/v2/nothing", {}, headers), 403, "forbidden");
    const events = await auditEvents(manage, "fapi");
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(
      expect.objectContaining({ client_name: "Manager", description: expect.stringContaining("cannot access this tenant") }),
    );
    expect(await auditEvents(await managerOf(service, "other"), "fapi")).toEqual([]);
  });

  test("is not written for reads or for unauthenticated callers", async () => {
    expect((await manage("GET", "/api/v2/roles/none")).status).toBe(404);
    expect((await manage("GET", "/api/v2/roles?nonsense=1")).status).toBe(400);
    expect((await manage("HEAD", "/api/v2/nothing")).status).toBe(404);
    expect((await service.call("POST", "/api/v2/roles", { body: { name: "x" } })).status).toBe(401);
    expect((await service.call("POST", "/api/v2/roles", { token: "nonsense", body: { name: "x" } })).status).toBe(401);
    expect(await auditEvents(manage, "fapi")).toEqual([]);
  });

  test("is aggregated if the change is repeated hundreds of times", async () => {
    for (let i = 0; i < 300; i++) await manage("POST", "/api/v2/roles", {});
    expect((await service.data.collections.logs.count({ tenant_id: "main", type: "fapi" })) < 100).toBe(true);
    service.clock.advance("2m");
    await manage("POST", "/api/v2/roles", {});
    const rows = list(await manage("GET", "/api/v2/logs?per_page=100&q=type:fapi"));
    expect(rows.some(({ details }) => typeof (details as JsonBody)["count"] === "number")).toBe(true);
  });
});
