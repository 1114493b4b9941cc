import { beforeAll, describe, expect, test } from "vitest";
import { expectError, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { clientSecret, createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "../support/postern.ts";

const origin = "https://app.example.test";

let service: TestPostern;
let manage: Manager;
let token: string;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  token = await service.token();
  jsonBody(
    await manage("PATCH", "/api/v2/clients/main-manager", {
      web_origins: [origin],
      callbacks: ["https://back.example.test/cb?x=1"],
      allowed_origins: ["https://*.wild.example.test"],
    }),
  );
});

const allowed = (answer: ApiResponse) => answer.headers.get("access-control-allow-origin");
/** Creates a machine client that can get Management API tokens, but without scopes. */
async function machineWithoutScopes(): Promise<{ readonly clientId: string }> {
  const clientId = "idle-machine";
  const settings = { name: "Idle", app_type: "non_interactive" } as const;
  await service.postern.seed({ tenantId: "main", clients: [{ clientId, secret: clientSecret, settings }] });
  await manage("POST", "/api/v2/client-grants", { client_id: clientId, audience: managementAudience, scope: [] });
  return { clientId };
}

const tokenRequest = {
  grant_type: "client_credentials",
  client_id: "main-manager",
  client_secret: clientSecret,
  audience: managementAudience,
};

describe("scripts from other origins", () => {
  test("get a preflight response for any origin, without credentials", async () => {
    for (const [path, method] of [
      ["/api/v2/users", "POST"],
      ["/api/v2/users/x%7Cy", "PATCH"],
      ["/api/v2/clients", "GET"],
      ["/oauth/token", "POST"],
      ["/.well-known/jwks.json", "GET"],
    ] as const) {
      const answer = await service.call("OPTIONS", path, {
        headers: {
          origin: "https://anyone.example",
          "access-control-request-method": method,
          "access-control-request-headers": "authorization,tenant-id",
        },
      });
      expect([answer.status, answer.body, allowed(answer)]).toEqual([204, undefined, "https://anyone.example"]);
      expect(answer.headers.get("access-control-allow-methods")).toBe(method);
      for (const name of ["authorization", "content-type", "tenant-id", "prefer", "auth0-client"]) {
        expect(answer.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(name);
      }
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
      expect(answer.headers.get("vary")?.toLowerCase()).toContain("origin");
    }
    expectError(
      await service.call("OPTIONS", "/api/v2/nothing", { headers: { origin, "access-control-request-method": "GET" } }),
      404,
      "not_found",
    );
    expectError(
      await service.call("OPTIONS", "/api/v2/users", { headers: { origin, "access-control-request-method": "DELETE" } }),
      405,
      "method_not_allowed",
    );
  });

  test("can read a response only if the client allows their origin", async () => {
    const getFrom = (from: string) => service.call("GET", "/api/v2/users", { token, headers: { origin: from } });
    for (const from of [origin, "https://back.example.test", "https://a.wild.example.test"]) {
      const answer = await getFrom(from);
      expect(allowed(answer)).toBe(from);
      for (const name of ["Preference-Applied", "Link"]) expect(answer.headers.get("access-control-expose-headers")).toContain(name);
      expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    }
    for (const from of [
      "https://evil.example",
      "http://app.example.test",
      `${origin}.evil.example`,
      "https://a.b.wild.example.test",
      "https://wild.example.test",
      "https://evil.example/.wild.example.test",
      "null",
      `${origin}:8443`,
      "*",
      "https://*.wild.example.test",
    ]) {
      const answer = await getFrom(from);
      expect([answer.status, from === "https://*.wild.example.test" ? null : allowed(answer)]).toEqual([200, null]);
      expect(answer.headers.get("vary")).toContain("Origin");
    }
    const requestTokenFrom = (from: string) => service.call("POST", "/oauth/token", { body: tokenRequest, headers: { origin: from } });
    expect(allowed(await requestTokenFrom(origin))).toBe(origin);
    expect(allowed(await requestTokenFrom("https://evil.example"))).toBeNull();
    // A script may read a response to an authenticated client. Without a client, no origin is allowed.
    expect(allowed(await service.call("GET", "/api/v2/nothing", { token, headers: { origin } }))).toBeNull();
    expect(allowed(await service.call("GET", "/api/v2/users/none", { token, headers: { origin } }))).toBe(origin);
    expect(allowed(await service.call("GET", "/api/v2/users", { headers: { origin } }))).toBeNull();
  });
});

describe("methods", () => {
  test("HEAD responds as GET does, without a body", async () => {
    const get = await manage("GET", "/api/v2/clients");
    const head = await manage("HEAD", "/api/v2/clients");
    expect([head.status, head.body, head.headers.get("content-type")]).toEqual([get.status, undefined, get.headers.get("content-type")]);
    expect(await manage("HEAD", "/api/v2/users/none")).toMatchObject({ status: 404, body: undefined });
    expect(await service.call("HEAD", "/api/v2/users")).toMatchObject({ status: 401, body: undefined });
  });

  test.each([
    ["PUT", "/api/v2/users", ["GET", "POST"]],
    ["DELETE", "/api/v2/users", ["GET", "POST"]],
    ["POST", "/api/v2/users/x", ["GET", "PATCH", "DELETE"]],
    ["GET", "/api/v2/clients/x/rotate-secret", ["POST"]],
    ["POST", "/api/v2/tenants/settings", ["GET", "PATCH"]],
    ["DELETE", "/api/v2/tenants", ["GET"]],
    ["OPTIONS", "/api/v2/users", ["GET", "POST"]],
    ["HEAD", "/oauth/token", ["POST"]],
    ["PURGE", "/oauth/token", ["POST"]],
  ])("%s %s responds with 405 and the allowed methods", async (method, path, methods) => {
    const answer = await service.call(method, path, { token });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(methods.toSorted());
    if (method !== "HEAD") expectError(answer, 405, "method_not_allowed", methods[0]);
  });

  test("unknown paths respond with 404 in the error format of their API", async () => {
    for (const path of [
      "/api/v2",
      "/api/v2/",
      "/api/v2/nothing",
      "/api/v2/users/a/b/c",
      "/api/v3/users",
      "/api/v2//users",
      "/nothing",
      "//",
      "/oauth",
      "/API/V2/USERS",
    ]) {
      const body = expectError(await service.call("GET", path, { token }), 404, "not_found");
      expect("statusCode" in body).toBe(path.startsWith("/api/v2"));
    }
  });

  test.each([
    ["POST", "/api/v2/rules", 404, "", ""],
    ["POST", "/api/v2/forms", 405, "", " (this path supports GET)"],
    ["POST", "/bc-authorize", 404, "", ""],
    ["GET", "/oauth/token", 405, "", " (this path supports POST)"],
    ["GET", "/api/v2/rules", 403, "Insufficient scope, expected any of: read:rules. No token can have it: ", ""],
  ])(
    "an error names the request that is not served, and links to the table of endpoints: %s %s",
    async (method, path, status, start, methods) => {
      const reason = "Postern does not have this feature, or the path or the method is wrong";
      const url = "https://github.com/postern/postern/blob/main/docs/reference/auth0-endpoints.md";
      expect(await service.call(method, path, { token })).toMatchObject({
        status,
        body: { error_description: `${start}${method} ${path} is not served${methods}: ${reason}. See ${url}` },
      });
    },
  );

  test("an error for a long path that is not served still has the link", async () => {
    const response = await service.call("GET", `/oauth/${"y".repeat(5000)}`);
    expectError(response, 404, "not_found", "docs/reference/auth0-endpoints.md$");
  });

  test.each([
    ["GET", "/api/v2/nothing", 404],
    ["GET", "/api/v2/jobs/1", 404],
    ["POST", "/api/v2/rules", 404],
    ["POST", "/api/v2/forms", 405],
    ["PUT", "/api/v2/users", 405],
    ["GET", "/operations/1", 404],
    ["GET", "/api/v2/users/%zz", 400],
  ])("unauthenticated callers cannot find out which routes exist: %s %s", async (method, path, status) => {
    expectError(await service.call(method, path), 401, "invalid_token");
    expectError(await service.call(method, path, { token: "no.token.at.all" }), 401, "invalid_token");
    expectError(await service.call(method, path, { token: `${token.slice(0, -8)}AAAAAAAA` }), 401, "invalid_token");
    const { clientId } = await machineWithoutScopes();
    const without = await service.call("POST", "/oauth/token", { body: { ...tokenRequest, client_id: clientId } });
    expectError(await service.call(method, path, { token: stringMember(jsonBody(without), "access_token") }), 403, "insufficient_scope");
    expect(await service.call(method, path, { token })).toMatchObject({ status });
  });
});

test("every response has security headers and a request id that the audit log contains", async () => {
  const answers = [
    await manage("GET", "/api/v2/users"),
    await service.call("POST", "/oauth/token", { body: tokenRequest }),
    await service.call("GET", "/nothing"),
    await service.call("GET", "/.well-known/jwks.json"),
  ];
  for (const { headers } of answers) {
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d+/);
    expect(headers.get("x-request-id")).toMatch(/^[\w-]{12,}$/);
    expect(headers.get("set-cookie")).toBeNull();
  }
  expect(new Set(answers.map(({ headers }) => headers.get("x-request-id"))).size).toBe(answers.length);
  const id = stringMember(await manage.create("/api/v2/clients", { name: "Traced" }), "client_id");
  const answer = await manage("PATCH", `/api/v2/clients/${id}`, { name: "Traced again" });
  const events = await manage("GET", "/api/v2/logs?per_page=100");
  expect(JSON.stringify(events.body)).toContain(answer.headers.get("x-request-id"));
});
