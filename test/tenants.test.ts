import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "./support/api.ts";
import { clientSecret, createTestPostern, managementAudience, type ApiResponse, type TestPostern } from "./support/postern.ts";
import { insertHost } from "./support/rows.ts";

const connection = "Username-Password-Authentication";

let service: TestPostern;
let main: Manager;
let other: Manager;

beforeAll(async () => {
  // Other tests cover what a tenant inherits or copies from the control plane. Here, both tenants are independent.
  service = await createTestPostern({ resolveControlPlane: () => undefined, sync: false });
  [main, other] = [await managerOf(service, "main"), await managerOf(service, "other")];
});

/** Returns the observable parts of a response, without header values that identify the request. */
const observable = ({ status, body, headers }: ApiResponse) => ({ status, body, names: [...headers.keys()].toSorted() });

describe("a resource of one tenant is indistinguishable from a missing one in another tenant", () => {
  const resources: readonly (readonly [string, string, string, (manage: Manager) => Promise<JsonBody>, unknown])[] = [
    [
      "users",
      "user_id",
      "auth0|never",
      (manage) => manage.create("/api/v2/users", { connection, email: "a@example.test" }),
      { name: "Stolen" },
    ],
    ["clients", "client_id", "a".repeat(32), (manage) => manage.create("/api/v2/clients", { name: "App" }), { name: "Stolen" }],
    [
      "connections",
      "id",
      "con_never",
      (manage) => manage.create("/api/v2/connections", { name: "texts", strategy: "sms" }),
      { display_name: "Stolen" },
    ],
    [
      "resource-servers",
      "id",
      "never",
      (manage) => manage.create("/api/v2/resource-servers", { identifier: "https://a.example.test" }),
      { name: "Stolen" },
    ],
    [
      "client-grants",
      "id",
      "cgr_never",
      async (manage) => {
        const client = await manage.create("/api/v2/clients", { name: "Granted" });
        return manage.create("/api/v2/client-grants", {
          client_id: client["client_id"],
          audience: managementAudience,
          scope: ["read:users"],
        });
      },
      { scope: [] },
    ],
  ];

  test.each(resources)("%s", async (resource, idField, never, make, change) => {
    const created = await make(main);
    const path = (id: string) => `/api/v2/${resource}/${encodeURIComponent(id)}`;
    const id = stringMember(created, idField);
    expect(observable(await other("GET", path(id)))).toEqual(observable(await other("GET", path(never))));
    expect(await other("GET", path(id))).toMatchObject({ status: 404 });
    expect(observable(await other("PATCH", path(id), change))).toEqual(observable(await other("PATCH", path(never), change)));
    expect(observable(await other("DELETE", path(id)))).toEqual(observable(await other("DELETE", path(never))));
    if (resource === "clients") {
      expect(observable(await other("POST", `${path(id)}/rotate-secret`))).toEqual(
        observable(await other("POST", `${path(never)}/rotate-secret`)),
      );
    }
    expect(JSON.stringify((await other("GET", `/api/v2/${resource}?per_page=100`)).body)).not.toContain(id);
    expect(jsonBody(await other("GET", `/api/v2/${resource}?per_page=100&include_totals=true`))["total"]).toBe(
      list(await other("GET", `/api/v2/${resource}?per_page=100`)).length,
    );
    // The resource still exists and is unchanged.
    const { client_secret: _, ...shown } = created;
    expect(jsonBody(await main("GET", path(id)))).toEqual(shown);
  });

  test("the same ids, email addresses and names can exist in both tenants independently", async () => {
    // The control plane's API is created last, because no other tenant can use an identifier that it already has.
    for (const manage of [other, main]) {
      const user = await manage.create("/api/v2/users", {
        connection,
        email: "twin@example.test",
        user_id: "auth0|twin",
        app_metadata: { of: manage === main ? "main" : "other" },
      });
      expect(user).toMatchObject({ user_id: "auth0|twin" });
      await manage.create("/api/v2/resource-servers", {
        identifier: "https://twin.example.test",
        scopes: [{ value: manage === main ? "read:main" : "read:other" }],
      });
      await manage.create("/api/v2/connections", { name: "twin", strategy: "sms" });
    }
    await other("PATCH", "/api/v2/users/auth0%7Ctwin", { name: "Changed", app_metadata: { x: 1 } });
    expect(jsonBody(await main("GET", "/api/v2/users/auth0%7Ctwin"))).toMatchObject({
      name: "twin@example.test",
      app_metadata: { of: "main" },
    });
    await other("DELETE", "/api/v2/users/auth0%7Ctwin");
    expect(await main("GET", "/api/v2/users/auth0%7Ctwin")).toMatchObject({ status: 200 });
  });

  test("audit events and positions in the log", async () => {
    const [event] = list(await main("GET", "/api/v2/logs"));
    const id = String(event?.["log_id"]);
    expect(observable(await other("GET", `/api/v2/logs/${id}`))).toEqual(observable(await other("GET", "/api/v2/logs/never")));
    expect(observable(await other("GET", `/api/v2/logs?from=${id}`))).toEqual(observable(await other("GET", "/api/v2/logs?from=never")));
    const ids = list(await other("GET", "/api/v2/logs?per_page=100")).map((row) => row["client_id"]);
    expect(new Set(ids)).toEqual(new Set(["other-manager"]));
    expect(list(await other("GET", "/api/v2/logs?q=client_id:main-manager"))).toEqual([]);
  });

  test("cursors", async () => {
    for (const email of ["c1@example.test", "c2@example.test"]) {
      for (const manage of [main, other]) await manage.create("/api/v2/users", { connection, email });
    }
    const next = stringMember(jsonBody(await main("GET", "/api/v2/users?take=1")), "next");
    expect(observable(await other("GET", `/api/v2/users?take=1&from=${next}`))).toEqual(
      observable(await other("GET", "/api/v2/users?take=1&from=never")),
    );
  });

  test("APIs and clients at the token endpoint", async () => {
    await main.create("/api/v2/resource-servers", { identifier: "https://main-only.example.test", scopes: [{ value: "x" }] });
    const requestToken = (audience: string) =>
      service.call("POST", "/oauth/token", {
        body: { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience },
      });
    const [known, unknown] = [await requestToken("https://main-only.example.test"), await requestToken("https://xxxx-xxxx.example.test")];
    expectError(known, 400, "access_denied");
    expect(JSON.stringify(known.body).replace("main-only", "xxxx-xxxx")).toBe(JSON.stringify(unknown.body));

    const headers = { "tenant-id": "other" };
    const as = (client_id: string) =>
      service.call("POST", "/oauth/token", {
        headers,
        body: { grant_type: "client_credentials", client_id, client_secret: clientSecret, audience: managementAudience },
      });
    expect(observable(await as("main-manager"))).toEqual(observable(await as("unknown")));
    expect(await as("other-manager")).toMatchObject({ status: 200 });
  });
});

describe("a token", () => {
  test("contains its tenant and is rejected in every other tenant, existing or not", async () => {
    const token = await service.token("main");
    expect(decodeJwt(token)).toMatchObject({ tenant_id: "main" });
    const requestToken = (tenantId: string) => service.call("GET", "/api/v2/users", { token, headers: { "tenant-id": tenantId } });
    expect(await requestToken("main")).toMatchObject({ status: 200 });
    expectError(await requestToken("other"), 403, "forbidden");
    expect(observable(await requestToken("other"))).toEqual(observable(await requestToken("never")));
  });

  test("is rejected after the deletion of its tenant", async () => {
    const own = await createTestPostern();
    const token = await own.token("other");
    await own.data.collections.tenants.update({ id: "other" }, { set: { deleting_at: own.clock.now() } });
    // Another process deleted the tenant, so this process may use its cache for five seconds.
    own.clock.advance("5s");
    expectError(await own.call("GET", "/api/v2/users", { token }), 401, "invalid_token");
    const requestToken = {
      grant_type: "client_credentials",
      client_id: "other-manager",
      client_secret: clientSecret,
      audience: managementAudience,
    };
    expectError(await own.call("POST", "/oauth/token", { body: requestToken }), 404, "not_found");
  });
});

describe("host names", () => {
  const at = async (host: string, path: string, init: RequestInit = {}): Promise<ApiResponse> => {
    const { postern } = service;
    const response = await postern.fetch(new Request(`https://${host}${path}`, init));
    const body = await response.text();
    return { status: response.status, headers: response.headers, body: JSON.parse(body) as unknown };
  };
  const token = (host: string, client: string, audience = `https://${host}/api/v2/`, headers = {}) =>
    at(host, "/oauth/token", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ grant_type: "client_credentials", client_id: client, client_secret: clientSecret, audience }),
    });

  beforeAll(async () => {
    await insertHost(service, "other", "login.other.example");
    await insertHost(service, "main", "login.main.example");
    service.clock.advance("5s");
  });

  test("of a tenant are separate issuers with the same keys, and select the tenant", async () => {
    const metadata = jsonBody(await at("login.other.example", "/.well-known/openid-configuration"));
    expect(metadata).toMatchObject({
      issuer: "https://login.other.example/",
      jwks_uri: "https://login.other.example/.well-known/jwks.json",
    });
    const issued = stringMember(jsonBody(await token("login.other.example", "other-manager")), "access_token");
    expect(decodeJwt(issued)).toMatchObject({
      iss: "https://login.other.example/",
      aud: "https://login.other.example/api/v2/",
      tenant_id: "other",
    });
    const { keys } = jsonBody(await at("login.other.example", "/.well-known/jwks.json"));
    expect((keys as JsonBody[]).length).toBeGreaterThan(0);
    // A token is valid under every issuer of its tenant.
    for (const host of ["login.other.example", "id.example.test"]) {
      expect(await at(host, "/api/v2/clients", { headers: { authorization: `Bearer ${issued}` } })).toMatchObject({ status: 200 });
    }
    expect(
      await at("login.other.example", "/api/v2/clients", { headers: { authorization: `Bearer ${await service.token("other")}` } }),
    ).toMatchObject({ status: 200 });
  });

  test("of another tenant accept neither the client nor the token", async () => {
    const known = await token("login.other.example", "main-manager");
    expectError(known, 401, "invalid_client");
    expect(observable(known)).toEqual(observable(await token("login.other.example", "unknown")));
    const tokenOfMain = await service.token("main");
    expectError(
      await at("login.other.example", "/api/v2/users", { headers: { authorization: `Bearer ${tokenOfMain}` } }),
      403,
      "forbidden",
    );
    const issuedAtMain = stringMember(jsonBody(await token("login.main.example", "main-manager")), "access_token");
    expectError(
      await at("login.other.example", "/api/v2/users", { headers: { authorization: `Bearer ${issuedAtMain}` } }),
      403,
      "forbidden",
    );
  });

  test("that contradict the tenant-id header are rejected before any other check", async () => {
    const bearer = { authorization: `Bearer ${await service.token("other")}` };
    for (const [path, headers] of [
      ["/api/v2/users", bearer],
      ["/api/v2/users", {}],
      ["/.well-known/openid-configuration", {}],
    ] as const) {
      expectError(
        await at("login.other.example", path, { headers: { ...headers, "tenant-id": "main" } }),
        400,
        "invalid_request",
        "tenant-id",
      );
      expectError(
        await at("login.other.example", path, { headers: { ...headers, "tenant-id": "never" } }),
        400,
        "invalid_request",
        "tenant-id",
      );
    }
    expectError(
      await token("login.other.example", "main-manager", managementAudience, { "tenant-id": "main" }),
      400,
      "invalid_request",
      "tenant-id",
    );
    expect(await at("login.other.example", "/api/v2/users", { headers: { ...bearer, "tenant-id": "other" } })).toMatchObject({
      status: 200,
    });
  });

  test("that are not configured change nothing and appear in no response", async () => {
    const configured = await at("id.example.test", "/.well-known/openid-configuration");
    for (const host of [
      "evil.example",
      "login.other.example.evil.example",
      "127.0.0.1",
      "localhost:9999",
      "login.other.example:8443",
      "xn--bcher-kva.example",
    ]) {
      const answer = await at(host, "/.well-known/openid-configuration", {
        headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example" },
      });
      expect(answer.body).toEqual(configured.body);
      const issued = stringMember(jsonBody(await token(host, "main-manager", managementAudience)), "access_token");
      expect(decodeJwt(issued)).toMatchObject({ iss: "https://id.example.test/", aud: managementAudience });
      const missingPage = await at(host, "/nothing");
      expect(JSON.stringify([missingPage.body, [...missingPage.headers]])).not.toContain("evil");
    }
    // Host names are case-insensitive.
    expect(jsonBody(await at("LOGIN.OTHER.EXAMPLE", "/.well-known/openid-configuration"))["issuer"]).toBe("https://login.other.example/");
  });

  test("are accepted from a trusted proxy only", async () => {
    const own = await createTestPostern({ trustedProxies: ["10.0.0.0/8"] });
    await insertHost(own, "other", "login.other.example");
    const issuerFrom = async (clientAddress: string | undefined) => {
      const request = new Request("https://internal.test/.well-known/openid-configuration", {
        headers: { "x-forwarded-host": "login.other.example" },
      });
      const response = await own.postern.fetch(request, clientAddress === undefined ? {} : { clientAddress });
      return ((await response.json()) as JsonBody)["issuer"];
    };
    expect(await issuerFrom("10.1.2.3")).toBe("https://login.other.example/");
    for (const address of ["192.0.2.1", undefined]) expect(await issuerFrom(address)).toBe("https://id.example.test/");
  });
});

test("a service without a default tenant responds only to requests that name a tenant", async () => {
  const own = await createTestPostern({ defaultTenantId: "nowhere" });
  expectError(await own.call("GET", "/.well-known/openid-configuration"), 404, "not_found");
  expect(await own.call("GET", "/.well-known/openid-configuration", { headers: { "tenant-id": "other" } })).toMatchObject({ status: 200 });
  expectError(await own.call("GET", "/.well-known/openid-configuration", { headers: { "tenant-id": "never" } }), 404, "not_found");
  expect(decodeJwt(await own.token("other"))).toMatchObject({ tenant_id: "other" });
});
