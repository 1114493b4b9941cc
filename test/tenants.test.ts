import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { expectError, list, managerOf, object, text, type Json, type Manager } from "./support/api.ts";
import { clientSecret, createTestPostern, managementAudience, type Answer, type TestPostern } from "./support/postern.ts";
import { insertHost } from "./support/rows.ts";

const connection = "Username-Password-Authentication";

let service: TestPostern;
let main: Manager;
let other: Manager;

beforeAll(async () => {
  // What is lent by the control plane, or copied from it, has tests of its own: here both are tenants like any other.
  service = await createTestPostern({ resolveControlPlane: () => undefined, sync: false });
  [main, other] = [await managerOf(service, "main"), await managerOf(service, "other")];
});

/** What an answer says, but for what names the request. */
const said = ({ status, body, headers }: Answer) => ({ status, body, names: [...headers.keys()].toSorted() });

describe("what belongs to one tenant is unknown in another, exactly as what never was", () => {
  const resources: readonly (readonly [string, string, string, (manage: Manager) => Promise<Json>, unknown])[] = [
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
    const made = await make(main);
    const path = (id: string) => `/api/v2/${resource}/${encodeURIComponent(id)}`;
    const id = text(made, idField);
    expect(said(await other("GET", path(id)))).toEqual(said(await other("GET", path(never))));
    expect(await other("GET", path(id))).toMatchObject({ status: 404 });
    expect(said(await other("PATCH", path(id), change))).toEqual(said(await other("PATCH", path(never), change)));
    expect(said(await other("DELETE", path(id)))).toEqual(said(await other("DELETE", path(never))));
    if (resource === "clients") {
      expect(said(await other("POST", `${path(id)}/rotate-secret`))).toEqual(said(await other("POST", `${path(never)}/rotate-secret`)));
    }
    expect(JSON.stringify((await other("GET", `/api/v2/${resource}?per_page=100`)).body)).not.toContain(id);
    expect(object(await other("GET", `/api/v2/${resource}?per_page=100&include_totals=true`))["total"]).toBe(
      list(await other("GET", `/api/v2/${resource}?per_page=100`)).length,
    );
    // Still there, and still as it was made.
    const { client_secret: _, ...shown } = made;
    expect(object(await main("GET", path(id)))).toEqual(shown);
  });

  test("the same ids, addresses and names live in both, apart", async () => {
    // The control plane's API comes last: no other tenant takes an identifier that it has.
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
    expect(object(await main("GET", "/api/v2/users/auth0%7Ctwin"))).toMatchObject({
      name: "twin@example.test",
      app_metadata: { of: "main" },
    });
    await other("DELETE", "/api/v2/users/auth0%7Ctwin");
    expect(await main("GET", "/api/v2/users/auth0%7Ctwin")).toMatchObject({ status: 200 });
  });

  test("events, and positions in the log", async () => {
    const [event] = list(await main("GET", "/api/v2/logs"));
    const id = String(event?.["log_id"]);
    expect(said(await other("GET", `/api/v2/logs/${id}`))).toEqual(said(await other("GET", "/api/v2/logs/never")));
    expect(said(await other("GET", `/api/v2/logs?from=${id}`))).toEqual(said(await other("GET", "/api/v2/logs?from=never")));
    const ids = list(await other("GET", "/api/v2/logs?per_page=100")).map((row) => row["client_id"]);
    expect(new Set(ids)).toEqual(new Set(["other-manager"]));
    expect(list(await other("GET", "/api/v2/logs?q=client_id:main-manager"))).toEqual([]);
  });

  test("cursors", async () => {
    for (const email of ["c1@example.test", "c2@example.test"]) {
      for (const manage of [main, other]) await manage.create("/api/v2/users", { connection, email });
    }
    const next = text(object(await main("GET", "/api/v2/users?take=1")), "next");
    expect(said(await other("GET", `/api/v2/users?take=1&from=${next}`))).toEqual(
      said(await other("GET", "/api/v2/users?take=1&from=never")),
    );
  });

  test("APIs and clients, at the token endpoint", async () => {
    await main.create("/api/v2/resource-servers", { identifier: "https://main-only.example.test", scopes: [{ value: "x" }] });
    const ask = (audience: string) =>
      service.call("POST", "/oauth/token", {
        body: { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience },
      });
    const [known, unknown] = [await ask("https://main-only.example.test"), await ask("https://xxxx-xxxx.example.test")];
    expectError(known, 400, "access_denied");
    expect(JSON.stringify(known.body).replace("main-only", "xxxx-xxxx")).toBe(JSON.stringify(unknown.body));

    const headers = { "tenant-id": "other" };
    const as = (client_id: string) =>
      service.call("POST", "/oauth/token", {
        headers,
        body: { grant_type: "client_credentials", client_id, client_secret: clientSecret, audience: managementAudience },
      });
    expect(said(await as("main-manager"))).toEqual(said(await as("nobody")));
    expect(await as("other-manager")).toMatchObject({ status: 200 });
  });
});

describe("a token", () => {
  test("names its tenant, and reaches no other, whether that exists or not", async () => {
    const token = await service.token("main");
    expect(decodeJwt(token)).toMatchObject({ tenant_id: "main" });
    const ask = (tenantId: string) => service.call("GET", "/api/v2/users", { token, headers: { "tenant-id": tenantId } });
    expect(await ask("main")).toMatchObject({ status: 200 });
    expectError(await ask("other"), 403, "forbidden");
    expect(said(await ask("other"))).toEqual(said(await ask("never")));
  });

  test("does not outlive its tenant", async () => {
    const own = await createTestPostern();
    const token = await own.token("other");
    await own.data.collections.tenants.update({ id: "other" }, { set: { deleting_at: own.clock.now() } });
    // Another process did it: this one may believe what it read for five seconds.
    own.clock.advance("5s");
    expectError(await own.call("GET", "/api/v2/users", { token }), 401, "invalid_token");
    const ask = { grant_type: "client_credentials", client_id: "other-manager", client_secret: clientSecret, audience: managementAudience };
    expectError(await own.call("POST", "/oauth/token", { body: ask }), 404, "not_found");
  });
});

describe("host names", () => {
  const at = async (host: string, path: string, init: RequestInit = {}): Promise<Answer> => {
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

  test("of a tenant are issuers of their own, with the same keys, and name the tenant", async () => {
    const metadata = object(await at("login.other.example", "/.well-known/openid-configuration"));
    expect(metadata).toMatchObject({
      issuer: "https://login.other.example/",
      jwks_uri: "https://login.other.example/.well-known/jwks.json",
    });
    const issued = text(object(await token("login.other.example", "other-manager")), "access_token");
    expect(decodeJwt(issued)).toMatchObject({
      iss: "https://login.other.example/",
      aud: "https://login.other.example/api/v2/",
      tenant_id: "other",
    });
    const { keys } = object(await at("login.other.example", "/.well-known/jwks.json"));
    expect((keys as Json[]).length).toBeGreaterThan(0);
    // A token counts under every issuer of its tenant.
    for (const host of ["login.other.example", "id.example.test"]) {
      expect(await at(host, "/api/v2/clients", { headers: { authorization: `Bearer ${issued}` } })).toMatchObject({ status: 200 });
    }
    expect(
      await at("login.other.example", "/api/v2/clients", { headers: { authorization: `Bearer ${await service.token("other")}` } }),
    ).toMatchObject({ status: 200 });
  });

  test("of another tenant know neither client nor token", async () => {
    const known = await token("login.other.example", "main-manager");
    expectError(known, 401, "invalid_client");
    expect(said(known)).toEqual(said(await token("login.other.example", "nobody")));
    const mains = await service.token("main");
    expectError(await at("login.other.example", "/api/v2/users", { headers: { authorization: `Bearer ${mains}` } }), 403, "forbidden");
    const issuedAtMain = text(object(await token("login.main.example", "main-manager")), "access_token");
    expectError(
      await at("login.other.example", "/api/v2/users", { headers: { authorization: `Bearer ${issuedAtMain}` } }),
      403,
      "forbidden",
    );
  });

  test("that disagree with the tenant-id header are refused, before anything else is looked at", async () => {
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

  test("that nobody configured change nothing and appear nowhere", async () => {
    const usual = await at("id.example.test", "/.well-known/openid-configuration");
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
      expect(answer.body).toEqual(usual.body);
      const issued = text(object(await token(host, "main-manager", managementAudience)), "access_token");
      expect(decodeJwt(issued)).toMatchObject({ iss: "https://id.example.test/", aud: managementAudience });
      const elsewhere = await at(host, "/nothing");
      expect(JSON.stringify([elsewhere.body, [...elsewhere.headers]])).not.toContain("evil");
    }
    // Upper case is the same host.
    expect(object(await at("LOGIN.OTHER.EXAMPLE", "/.well-known/openid-configuration"))["issuer"]).toBe("https://login.other.example/");
  });

  test("that a trusted proxy names count, and from nobody else", async () => {
    const own = await createTestPostern({ trustedProxies: ["10.0.0.0/8"] });
    await insertHost(own, "other", "login.other.example");
    const issuerFrom = async (clientAddress: string | undefined) => {
      const request = new Request("https://internal.test/.well-known/openid-configuration", {
        headers: { "x-forwarded-host": "login.other.example" },
      });
      const response = await own.postern.fetch(request, clientAddress === undefined ? {} : { clientAddress });
      return ((await response.json()) as Json)["issuer"];
    };
    expect(await issuerFrom("10.1.2.3")).toBe("https://login.other.example/");
    for (const address of ["192.0.2.1", undefined]) expect(await issuerFrom(address)).toBe("https://id.example.test/");
  });
});

test("a service without a default tenant answers only who names one", async () => {
  const own = await createTestPostern({ defaultTenantId: "nowhere" });
  expectError(await own.call("GET", "/.well-known/openid-configuration"), 404, "not_found");
  expect(await own.call("GET", "/.well-known/openid-configuration", { headers: { "tenant-id": "other" } })).toMatchObject({ status: 200 });
  expectError(await own.call("GET", "/.well-known/openid-configuration", { headers: { "tenant-id": "never" } }), 404, "not_found");
  expect(decodeJwt(await own.token("other"))).toMatchObject({ tenant_id: "other" });
});
