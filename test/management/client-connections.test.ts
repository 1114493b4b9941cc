import { beforeEach, describe, expect, test } from "vitest";
import { expectError, list, managerOf, jsonBody, stringMember, listAllPages, type JsonBody, type Manager } from "../support/api.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { tokenWith } from "./token-with.ts";

let service: TestPostern;
let manage: Manager;
let clientId: string;
let base: string;
let passwords: string;
let codes: string;
let texts: string;

beforeEach(async () => {
  service = await createTestPostern();
  manage = await managerOf(service);
  clientId = stringMember(await manage.create("/api/v2/clients", { name: "App", app_type: "regular_web" }), "client_id");
  base = `/api/v2/clients/${clientId}/connections`;
  const [database = {}] = list(await manage("GET", "/api/v2/connections"));
  passwords = stringMember(database, "id");
  service.clock.advance("1s");
  codes = stringMember(await manage.create("/api/v2/connections", { name: "codes", strategy: "email" }), "id");
  service.clock.advance("1s");
  texts = stringMember(await manage.create("/api/v2/connections", { name: "texts", strategy: "sms" }), "id");
});

const ids = (body: JsonBody): readonly unknown[] => {
  const { enabled_connections: enabled, connections } = body;
  if (!Array.isArray(enabled) || !Array.isArray(connections)) throw new Error("the response must have two lists");
  expect(connections.map(({ id }) => id)).toEqual(enabled.map((entry) => entry.connection_id));
  return enabled.map((entry) => entry.connection_id);
};
const enabledConnections = async (): Promise<readonly unknown[]> => ids(jsonBody(await manage("GET", base)));
/** Returns the list of each client that has one, in the database. */
const storedLists = async (): Promise<{ readonly [clientId: string]: readonly string[] }> => {
  const rows = await service.data.collections.clients.find({ where: { tenant_id: "main" }, limit: 10 });
  return Object.fromEntries(rows.flatMap(({ client_id: id, connections }) => (connections === null ? [] : [[id, connections]])));
};
const clientsOf = async (id: string): Promise<readonly unknown[]> =>
  list(await manage("GET", `/api/v2/connections/${id}/clients`), "clients").map((client) => client["client_id"]);

describe("the connections of a client", () => {
  test("are all connections of the tenant if the client has no list, in both response formats", async () => {
    const body = jsonBody(await manage("GET", base));
    expect(body).toMatchObject({
      enabled_connections: expect.arrayContaining([{ connection_id: codes, connection: { id: codes, name: "codes", strategy: "email" } }]),
      connections: expect.arrayContaining([
        expect.objectContaining({ id: codes, name: "codes", strategy: "email", options: expect.any(Object) }),
      ]),
    });
    expect(ids(body)).toEqual([passwords, codes, texts]);
    expect(JSON.stringify(body)).not.toContain("enabled_clients");
  });

  test("include identity providers in `enabled_connections` if the client has no list, and `connections` contains the others", async () => {
    service.clock.advance("1s");
    const google = stringMember(await manage.create("/api/v2/connections", { name: "google", strategy: "google-oauth2" }), "id");
    const reply = await manage("GET", base);
    expect(list(reply, "enabled_connections").map((entry) => entry["connection_id"])).toEqual([passwords, codes, texts, google]);
    expect(list(reply, "connections").map(({ id }) => id)).toEqual([passwords, codes, texts]);
    const chosen = jsonBody(await manage("GET", `${base}?strategy=google-oauth2`));
    expect(chosen).toEqual({
      enabled_connections: [{ connection_id: google, connection: { id: google, name: "google", strategy: "google-oauth2" } }],
      connections: [],
    });
  });

  test("are replaced in order, and unknown, foreign and repeated ids are dropped", async () => {
    const other = await managerOf(service, "other");
    const [foreign = {}] = list(await other("GET", "/api/v2/connections"));
    const reply = jsonBody(
      await manage("PATCH", base, [texts, "con_nothing", passwords, stringMember(foreign, "id"), texts, "", "x".repeat(500)]),
    );
    expect(ids(reply)).toEqual([texts, passwords]);
    expect(jsonBody(await manage("GET", base))).toEqual(reply);
    expect(ids(jsonBody(await manage("PATCH", base, [passwords, codes])))).toEqual([passwords, codes]);
    expect(ids(jsonBody(await manage("PATCH", base, [])))).toEqual([]);
    expect(await enabledConnections()).toEqual([]);
  });

  test("can be paged with take and filtered by strategy", async () => {
    const all = list(await manage("GET", base), "connections");
    expect(await listAllPages(manage, base, "connections", 2)).toEqual(all);
    expect(ids(jsonBody(await manage("GET", `${base}?strategy=sms&strategy=email`)))).toEqual([codes, texts]);
    expect(ids(jsonBody(await manage("GET", `${base}?strategy=sms`)))).toEqual([texts]);
    const { next } = jsonBody(await manage("GET", `${base}?take=1`));
    for (const query of ["strategy=sms&take=1", "take=1&strategy=email"]) {
      expectError(await manage("GET", `${base}?${query}&from=${encodeURIComponent(String(next))}`), 400, "invalid_request", "'from'");
    }
    expectError(await manage("GET", `${base}?take=1&from=1`), 400, "invalid_request", "'from'");
    expectError(await manage("GET", `${base}?take=0`), 400, "invalid_request", "'take'");
  });

  test("contain only the requested fields", async () => {
    const { connections } = jsonBody(await manage("GET", `${base}?fields=id,name`));
    const all = list(await manage("GET", base), "connections");
    expect(connections).toEqual(all.map(({ id, name }) => ({ id, name })));
    const without = jsonBody(await manage("GET", `${base}?fields=options&include_fields=false&take=1`));
    expect(without["connections"]).toEqual([expect.not.objectContaining({ options: expect.anything() })]);
    expect(without).toHaveProperty("next");
    expectError(await manage("GET", `${base}?include_fields=maybe`), 400, "invalid_request", "'include_fields'");
  });

  test.each([[{ connections: [] }], [[1]], ["text"], [[{ connection_id: "x" }]]])("cannot be set to %j", async (body) => {
    expectError(await manage("PATCH", base, JSON.stringify(body)), 400, "invalid_request", "body");
  });

  test("respond with 404 for an unknown client and a client of another tenant", async () => {
    for (const id of ["unknown", "other-manager", "x".repeat(300)]) {
      const path = `/api/v2/clients/${id}/connections`;
      expect(expectError(await manage("GET", path), 404, "not_found")).toMatchObject({ errorCode: "inexistent_client" });
      expectError(await manage("PATCH", path, []), 404, "not_found");
    }
  });
});

describe("the clients of a connection", () => {
  test("are the clients with the connection in their list, without the clients that have no list", async () => {
    const enabled = async (id: string) => jsonBody(await manage("GET", `/api/v2/connections/${id}`))["enabled_clients"];
    expect(await clientsOf(texts)).toEqual([]);
    await manage("PATCH", base, [passwords]);
    expect(await clientsOf(texts)).toEqual([]);
    expect(await enabled(texts)).toEqual([]);
    expect(await clientsOf(passwords)).toEqual([clientId]);
    expect(await enabled(passwords)).toEqual([clientId]);
    await manage("PATCH", "/api/v2/clients/main-manager/connections", [texts, passwords]);
    const all = await listAllPages(manage, `/api/v2/connections/${passwords}/clients`, "clients", 1);
    expect(all.map((client) => client["client_id"])).toEqual([clientId, "main-manager"].toSorted());
    expect(await clientsOf(passwords)).toEqual(await enabled(passwords));
  });

  test("can be enabled one by one: the first connection is a client's whole list, and the next ones are added", async () => {
    const enable = (id: string) => manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: clientId, status: true }]);
    expect(await enable(texts)).toMatchObject({ status: 204, body: undefined });
    expect(await storedLists()).toEqual({ [clientId]: [texts] });
    for (const id of [passwords, texts]) expect(await enable(id)).toMatchObject({ status: 204 });
    expect(await storedLists()).toEqual({ [clientId]: [texts, passwords] });
  });

  test("can be disabled one by one: a client without a list keeps the others, and without any it has an empty list", async () => {
    service.clock.advance("1s");
    const google = stringMember(await manage.create("/api/v2/connections", { name: "google", strategy: "google-oauth2" }), "id");
    const disable = (id: string) => manage("PATCH", `/api/v2/connections/${id}/clients`, [{ client_id: clientId, status: false }]);
    expect(await disable(google)).toMatchObject({ status: 204 });
    expect(await storedLists()).toEqual({});
    expect(await disable(codes)).toMatchObject({ status: 204 });
    expect(await storedLists()).toEqual({ [clientId]: [passwords, texts] });
    for (const id of [passwords, texts]) expect(await disable(id)).toMatchObject({ status: 204 });
    expect(await storedLists()).toEqual({ [clientId]: [] });
    expect(await enabledConnections()).toEqual([]);
  });

  test("are those in `enabled_clients` of a request, which leaves other clients without a list unchanged", async () => {
    const enabled_clients = [clientId];
    const created = await manage.create("/api/v2/connections", { name: "staff", strategy: "auth0", enabled_clients });
    const staff = stringMember(created, "id");
    expect(created).toMatchObject({ enabled_clients });
    expect(await storedLists()).toEqual({ [clientId]: [staff] });
    const update = (id: string, clients: readonly string[]) => manage("PATCH", `/api/v2/connections/${id}`, { enabled_clients: clients });
    expect(jsonBody(await update(texts, [clientId]))).toMatchObject({ enabled_clients });
    expect(await storedLists()).toEqual({ [clientId]: [staff, texts] });
    expect(jsonBody(await update(texts, ["main-manager"]))).toMatchObject({ enabled_clients: ["main-manager"] });
    expect(await storedLists()).toEqual({ [clientId]: [staff], "main-manager": [texts] });
    for (const id of [staff, texts]) expect(jsonBody(await update(id, []))).toMatchObject({ enabled_clients: [] });
    expect(await storedLists()).toEqual({ [clientId]: [], "main-manager": [] });
  });

  test("without a list stay without one when a connection is deleted", async () => {
    expect(await manage("DELETE", `/api/v2/connections/${texts}`)).toMatchObject({ status: 204 });
    expect(await storedLists()).toEqual({});
    expect(await enabledConnections()).toEqual([passwords, codes]);
  });

  test.each([
    [[], "body"],
    [[{ client_id: "unknown", status: true }], /'\[0\]\.client_id'/],
    [[{ client_id: "other-manager", status: true }], /'\[0\]\.client_id'/],
    [[{ client_id: "main-manager" }], "status"],
    [[{ client_id: "main-manager", status: "on" }], "status"],
    [{}, "body"],
  ])("cannot be set to %j", async (body, error) => {
    expectError(await manage("PATCH", `/api/v2/connections/${codes}/clients`, body), 400, "invalid_request", error);
  });

  test("respond with 404 for an unknown connection and a connection of another tenant", async () => {
    const other = await managerOf(service, "other");
    for (const [call, id] of [
      [manage, "con_nothing"],
      [other, codes],
    ] as const) {
      const path = `/api/v2/connections/${id}/clients`;
      expect(expectError(await call("GET", path), 404, "not_found")).toMatchObject({ errorCode: "inexistent_connection" });
      expectError(await call("PATCH", path, [{ client_id: "x", status: true }]), 404, "not_found");
    }
  });
});

test("each route of client connections requires its scope", async () => {
  const all = ["read:clients", "update:clients", "read:connections", "update:connections"];
  for (const [method, path, scopes, body] of [
    ["GET", base, ["read:clients", "read:connections"], undefined],
    ["PATCH", base, ["update:clients"], []],
    ["GET", `/api/v2/connections/${codes}/clients`, ["read:connections"], undefined],
    ["PATCH", `/api/v2/connections/${codes}/clients`, ["update:connections"], [{ client_id: clientId, status: false }]],
  ] as const) {
    expectError(await service.call(method, path), 401, "invalid_token");
    const token = await tokenWith(
      service,
      manage,
      all.filter((scope) => !scopes.some((required) => required === scope)),
    );
    expectError(await service.call(method, path, { token, ...(body && { body }) }), 403, "insufficient_scope", scopes[0]);
  }
  expect(await enabledConnections()).toEqual([passwords, codes, texts]);
});
