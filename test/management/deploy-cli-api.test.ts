import { beforeAll, describe, expect, test } from "vitest";
import { readEndpoints } from "../../scripts/auth0-page.ts";
import { emptyLists } from "../../packages/core/src/management/empty-lists.ts";
import { unservedPaths } from "../../packages/core/src/management/unserved-paths.ts";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

/** The responses that Auth0's Deploy CLI needs: empty resources, and errors that make it skip a resource type. */

let service: TestPostern;
let manage: Manager;

beforeAll(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
});

describe("a resource type that is not served but that the Deploy CLI reads", () => {
  test.each(Object.entries(unservedPaths))("%s is rejected with the message that the Deploy CLI skips", async (path, scope) => {
    const answer = await manage("GET", `${path}?page=0&per_page=100&include_totals=true`);
    const refusal = expectError(
      answer,
      403,
      "insufficient_scope",
      `^Insufficient scope, expected any of: ${scope}\\. No token can have it: GET ${path} is not served: `,
    );
    expect(refusal).toMatchObject({ errorCode: "insufficient_scope" });
    expect(answer.headers.get("www-authenticate")).not.toContain("scope=");
  });

  test("is rejected with 401 for unauthenticated callers", async () => {
    expectError(await service.call("GET", "/api/v2/rules"), 401, "invalid_token");
    expectError(await service.call("GET", "/api/v2/rules", { token: "nonsense" }), 401, "invalid_token");
  });

  test("is rejected with 404 for writes and for paths below the list", async () => {
    expectError(await manage("POST", "/api/v2/rules", { name: "x" }), 404, "not_found");
    expectError(await manage("PUT", "/api/v2/hooks", []), 404, "not_found");
    expectError(await manage("GET", "/api/v2/rules/rul_1"), 404, "not_found");
    expectError(await manage("GET", "/api/v2/constructor"), 404, "not_found");
  });
});

describe("lists that are always empty", () => {
  test.each([
    ["user-attribute-profiles", "user_attribute_profiles"],
    ["connection-profiles", "connection_profiles"],
    ["token-exchange-profiles", "token_exchange_profiles"],
    ["branding/phone/providers", "providers"],
    ["branding/phone/templates", "templates"],
  ])("%s is empty", async (path, key) => {
    expect((await manage("GET", `/api/v2/${path}`)).body).toEqual({ [key]: [] });
    expect((await manage("GET", `/api/v2/${path}?take=10`)).body).toEqual({ [key]: [] });
    expectError(await manage("GET", `/api/v2/${path}?from=made-up`), 400, "invalid_request", "from");
    expectError(await manage("GET", `/api/v2/${path}?take=-1`), 400, "invalid_request", "take");
    expectError(await manage("POST", `/api/v2/${path}`, { name: "x" }), 405, "method_not_allowed");
  });

  test.each([
    ["forms", "forms", "&hydrate=flow_count&hydrate=links"],
    ["flows", "flows", "&hydrate=form_count&synchronous=true"],
    ["flows/vault/connections", "connections", ""],
    ["network-acls", "network_acls", ""],
    ["self-service-profiles", "self_service_profiles", ""],
  ])("%s is empty with each kind of paging", async (path, key, filters) => {
    expect((await manage("GET", `/api/v2/${path}`)).body).toEqual([]);
    const totals = { start: 100, limit: 100, length: 0, total: 0 };
    const second = await manage("GET", `/api/v2/${path}?page=1&per_page=100&include_totals=true${filters}`);
    expect(second.body).toEqual({ [key]: [], ...totals });
    expect((await manage("GET", `/api/v2/${path}?take=10`)).body).toEqual({ [key]: [] });
    expectError(await manage("GET", `/api/v2/${path}?from=made-up`), 400, "invalid_request", "from");
    expectError(await manage("POST", `/api/v2/${path}`, { name: "x" }), 405, "method_not_allowed");
  });

  test.each([
    ["actions/actions", "actions"],
    ["actions/triggers/post-login/bindings", "bindings"],
  ])("%s is listed by page", async (path, key) => {
    expect((await manage("GET", `/api/v2/${path}?page=0&per_page=100`)).body).toEqual({ [key]: [], total: 0, page: 0, per_page: 100 });
    expectError(await manage("GET", `/api/v2/${path}?from=made-up`), 400, "invalid_request", "from");
  });

  test("each requires the scope that Auth0 documents", async () => {
    const other = await createTestPostern();
    const token = await tokenWith(other, await managerOf(other), ["read:roles"]);
    const documented = new Map(readEndpoints().map(({ title, scopes }) => [title.replaceAll(/\{\w+\}/g, "x"), scopes]));
    for (const { definition } of emptyLists) {
      const path = definition.path.replaceAll(/:\w+/g, "x");
      const scopes = documented.get(`GET ${path.replace("/api/v2", "")}`);
      expect(scopes, path).toEqual(definition.scopes);
      expectError(await other.call("GET", path, { token }), 403, "insufficient_scope", `expected any of: ${String(scopes)}$`);
    }
  });

  test("an organization's clients and discovery domains are empty, and an unknown organization responds with 404", async () => {
    const id = stringMember(await manage.create("/api/v2/organizations", { name: "acme" }), "id");
    expect((await manage("GET", `/api/v2/organizations/${id}/clients?take=50`)).body).toEqual({ clients: [] });
    expect((await manage("GET", `/api/v2/organizations/${id}/discovery-domains?take=50`)).body).toEqual({ domains: [] });
    expectError(await manage("GET", "/api/v2/organizations/org_none/clients"), 404, "not_found");
  });
});

test("checkpoint pages of organizations have Auth0's members, unless fields are requested", async () => {
  const organization = await manage.create("/api/v2/organizations", { name: "umbrella", display_name: "Umbrella" });
  const { created_at, updated_at, enabled_connections, ...checkpointMembers } = organization;
  const byCheckpoint = async (query: string) =>
    list(await manage("GET", `/api/v2/organizations?q=name:umbrella&${query}`), "organizations");
  expect(await byCheckpoint("include_totals=true&take=50")).toEqual([checkpointMembers]);
  expect(await byCheckpoint("take=50&fields=name,created_at,updated_at,enabled_connections")).toEqual([
    { name: "umbrella", created_at, updated_at, enabled_connections },
  ]);
  expect(await byCheckpoint("include_totals=true&per_page=50")).toEqual([organization]);
});

describe("the global client", () => {
  const path = "/api/v2/clients/global";

  test("can be read by id, and is listed only with is_global=true", async () => {
    const [client, ...others] = list(
      await manage("GET", "/api/v2/clients?is_global=true&include_totals=true&page=0&per_page=100"),
      "clients",
    );
    expect(client).toMatchObject({ client_id: "global", global: true, name: "All Applications", tenant: "main" });
    expect(others).toEqual([]);
    expect((await manage("GET", path)).body).toEqual(client);
    for (const query of ["", "?is_global=false"]) {
      expect(list(await manage("GET", `/api/v2/clients${query}`)).map((one) => one["global"])).toEqual([false]);
    }
  });

  test("has a login page per tenant", async () => {
    jsonBody(await manage("PATCH", path, { custom_login_page: "<html>Ours</html>" }));
    expect(jsonBody(await manage("PATCH", path, { custom_login_page_on: true }))).toMatchObject({
      custom_login_page: "<html>Ours</html>",
      custom_login_page_on: true,
    });
    expect(jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { friendly_name: "Changed" }))).not.toHaveProperty("global_client");
    expect((await manage("GET", path)).body).toMatchObject({ custom_login_page: "<html>Ours</html>" });
    const other = await managerOf(service, "other");
    expect((await other("GET", path)).body).not.toHaveProperty("custom_login_page");
  });

  test.each([
    ["a setting of other clients", { callbacks: ["https://a.example.test"] }, "callbacks"],
    ["a page that is not a string", { custom_login_page: 7 }, "custom_login_page"],
    ["a secret", { client_secret: "a-secret-that-is-long-enough-for-tests" }, "client_secret"],
  ])("rejects %s", async (_, body, error) => {
    expectError(await manage("PATCH", path, body), 400, "invalid_request", error);
  });

  test("signs no user in, gets no token, and cannot be deleted or granted an API", async () => {
    const authorize = await service.call("GET", "/authorize?client_id=global&response_type=code&redirect_uri=https://a.example.test/");
    expect(authorize.status).toBe(400);
    const token = await service.call("POST", "/oauth/token", {
      body: { grant_type: "client_credentials", client_id: "global", client_secret: "" },
    });
    expect(token).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expectError(await manage("DELETE", path), 403, "forbidden", "cannot be deleted");
    const grant = { client_id: "global", audience: "https://id.example.test/api/v2/", scope: [] };
    expectError(await manage("POST", "/api/v2/client-grants", grant), 404, "not_found", "client");
    expect((await manage("GET", path)).status).toBe(200);
  });

  test("cannot be seeded", async () => {
    const seeded = service.postern.seed({ tenantId: "main", clients: [{ clientId: "global", settings: { name: "Global" } }] });
    await expect(seeded).rejects.toThrow("'global' is the id of the global client");
  });
});

test("a new client has no connections if the tenant's flag says so, and all of them otherwise", async () => {
  const connectionCount = async (): Promise<number> => {
    const client = await manage.create("/api/v2/clients", { name: "New" });
    return list(await manage("GET", `/api/v2/clients/${stringMember(client, "client_id")}/connections`), "enabled_connections").length;
  };
  expect(await connectionCount()).toBe(1);
  jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { flags: { enable_client_connections: false } }));
  expect(await connectionCount()).toBe(0);
  jsonBody(await manage("PATCH", "/api/v2/tenants/settings", { flags: { enable_client_connections: true } }));
  expect(await connectionCount()).toBe(1);
});

/** A connection in the files of an import: its strategy, and the ids of the clients that offer it. */
interface ConnectionFile {
  readonly strategy: string;
  readonly enabled_clients: readonly string[];
}

/**
 * Imports connections with the requests of the Deploy CLI 8.44. It creates a connection without its clients, and updates
 * the clients of all connections in parallel.
 * @returns the bodies of `PATCH /api/v2/connections/{id}/clients`.
 */
async function importConnections(manager: Manager, files: { readonly [name: string]: ConnectionFile }): Promise<readonly unknown[]> {
  const existing = new Map<string, readonly unknown[]>();
  for (const connection of list(await manager("GET", "/api/v2/connections?include_totals=true&take=50"), "connections")) {
    const id = stringMember(connection, "id");
    const clients = list(await manager("GET", `/api/v2/connections/${id}/clients?take=100`), "clients");
    existing.set(
      stringMember(connection, "name"),
      clients.map((client) => client["client_id"]),
    );
  }
  for (const [name, { strategy }] of Object.entries(files)) {
    if (!existing.has(name)) await manager.create("/api/v2/connections", { name, strategy });
  }
  const sent = await Promise.all(
    Object.entries(files).map(async ([name, { enabled_clients: wanted }]) => {
      const before = existing.get(name) ?? [];
      if (wanted.length === 0 || (wanted.length === before.length && wanted.every((id) => before.includes(id)))) return [];
      const [connection = {}] = list(await manager("GET", `/api/v2/connections?name=${name}&take=1&include_fields=true`), "connections");
      const body = [
        ...wanted.map((client_id) => ({ client_id, status: true })),
        ...before.filter((id) => !wanted.some((one) => one === id)).map((client_id) => ({ client_id, status: false })),
      ];
      expect(await manager("PATCH", `/api/v2/connections/${stringMember(connection, "id")}/clients`, body)).toMatchObject({ status: 204 });
      return [body];
    }),
  );
  return sent.flat();
}

test("an import enables exactly the connections of its files for clients without a list, and the next import changes nothing", async () => {
  const imported = await createTestPostern();
  const manager = await managerOf(imported);
  const register = async (name: string) => stringMember(await manager.create("/api/v2/clients", { name }), "client_id");
  const [shop, office, kiosk] = [await register("Shop"), await register("Back office"), await register("Kiosk")];
  const connectionsOf = async (id: string) => {
    const connections = list(await manager("GET", `/api/v2/clients/${id}/connections`), "connections");
    return connections.map(({ name }) => String(name)).toSorted();
  };
  const database = "Username-Password-Authentication";
  const files = {
    [database]: { strategy: "auth0", enabled_clients: [shop] },
    codes: { strategy: "email", enabled_clients: [office] },
    google: { strategy: "google-oauth2", enabled_clients: [shop, office] },
    partner: { strategy: "oidc", enabled_clients: [] },
  };
  const expected = { [shop]: [database, "google"], [office]: ["codes", "google"], [kiosk]: [database, "codes"] };
  const offered = async () =>
    Object.fromEntries(await Promise.all([shop, office, kiosk].map(async (id) => [id, await connectionsOf(id)] as const)));

  expect(await importConnections(manager, files)).toHaveLength(3);
  expect(await offered()).toEqual(expected);
  expect(await importConnections(manager, files)).toEqual([]);
  expect(await offered()).toEqual(expected);
  // The client that no file names still has no list: it offers a later connection.
  await manager.create("/api/v2/connections", { name: "texts", strategy: "sms" });
  expect(await offered()).toEqual({ ...expected, [kiosk]: [database, "codes", "texts"] });
});
