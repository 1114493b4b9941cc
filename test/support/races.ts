import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError, list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "./api.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

const connection = "Username-Password-Authentication";
const many = Array.from({ length: 32 }, (_, i) => i);

/** Adds the tests for thirty-two parallel requests, for any store. */
export function testRaces(open: () => Promise<DataAdapter>): void {
  let service: TestPostern;
  let manage: Manager;

  beforeAll(async () => {
    service = await createTestPostern({ data: await open() });
    manage = await managerOf(service);
  });

  test("creates one user for thirty-two parallel requests with one email address, and responds to the others with 409", async () => {
    const before = (await auditEvents(manage, "sapi")).length;
    const responses = await Promise.all(
      many.map((i) =>
        manage("POST", "/api/v2/users", {
          connection,
          email: "Race@example.test",
          name: `Racer ${i}`,
          ...(i % 8 === 0 && { password: "Correct-horse-1" }),
        }),
      ),
    );
    const won = responses.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    for (const response of responses.filter((one) => one !== won[0]))
      expect(expectError(response, 409, "conflict")).toMatchObject({ errorCode: "auth0_idp_error" });
    const found = list(await manage("GET", "/api/v2/users?q=email:race@example.test"));
    expect(found).toEqual([won[0]?.body]);
    expect((await auditEvents(manage, "sapi")).length).toBe(before + 1);
    // The password of the created user is the only stored one.
    const hashes = await service.data.collections.passwords.count({ tenant_id: "main" });
    expect(hashes).toBe(responses.findIndex((response) => response === won[0]) % 8 === 0 ? 1 : 0);
  });

  test("creates one user for thirty-two parallel requests with one user_id and different email addresses", async () => {
    const responses = await Promise.all(
      many.map((i) => manage("POST", "/api/v2/users", { connection, email: `id-race-${i}@example.test`, user_id: "auth0|race" })),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...many.slice(1).map(() => 409)]);
    expect(list(await manage("GET", "/api/v2/users?q=email:id-race-*"))).toHaveLength(1);
  });

  test("creates one API, one connection and one client grant, each for thirty-two parallel requests", async () => {
    const client_id = stringMember(await manage.create("/api/v2/clients", { name: "App" }), "client_id");
    for (const [path, body] of [
      ["/api/v2/resource-servers", { identifier: "https://race.example.test" }],
      ["/api/v2/connections", { name: "race", strategy: "sms" }],
      ["/api/v2/client-grants", { client_id, audience: "https://race.example.test", scope: [] }],
    ] as const) {
      const responses = await Promise.all(many.map(() => manage("POST", path, body)));
      expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...many.slice(1).map(() => 409)]);
    }
  });

  test("stores every parallel update of a user that got a 200 response, and none that got a 409", async () => {
    const id = encodeURIComponent(
      stringMember(await manage.create("/api/v2/users", { connection, email: "patched@example.test" }), "user_id"),
    );
    const responses = await Promise.all(many.map((i) => manage("PATCH", `/api/v2/users/${id}`, { app_metadata: { [`key${i}`]: i } })));
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const stored = jsonBody(await manage("GET", `/api/v2/users/${id}`))["app_metadata"] as JsonBody;
    const responded = Object.fromEntries(many.filter((i) => responses[i]?.status === 200).map((i) => [`key${i}`, i]));
    expect(stored).toEqual(responded);
    expect(Object.keys(responded).length).toBeGreaterThanOrEqual(5);
  });

  test("applies five parallel updates to one resource within the allowed number of retries", async () => {
    const id = stringMember(await manage.create("/api/v2/clients", { name: "Patched" }), "client_id");
    const responses = await Promise.all(
      many.slice(0, 5).map((i) => manage("PATCH", `/api/v2/clients/${id}`, { client_metadata: { [`key${i}`]: String(i) } })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(Object.keys(jsonBody(await manage("GET", `/api/v2/clients/${id}`))["client_metadata"] as JsonBody)).toHaveLength(5);
    const settings = await Promise.all(
      many.slice(0, 5).map((i) => manage("PATCH", "/api/v2/tenants/settings", { flags: { [`flag${i}`]: true } })),
    );
    expect(settings.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(jsonBody(await manage("GET", "/api/v2/tenants"))["flags"]).toMatchObject({ flag0: true, flag4: true });
  });

  test("enables five connections for one client without a list in parallel, and loses none", async () => {
    const id = stringMember(await manage.create("/api/v2/clients", { name: "Enabled" }), "client_id");
    const connections = await Promise.all(
      many
        .slice(0, 5)
        .map(async (i) => stringMember(await manage.create("/api/v2/connections", { name: `one-of-five-${i}`, strategy: "sms" }), "id")),
    );
    const responses = await Promise.all(
      connections.map((one, i) =>
        i < 3
          ? manage("PATCH", `/api/v2/connections/${one}/clients`, [{ client_id: id, status: true }])
          : manage("PATCH", `/api/v2/connections/${one}`, { enabled_clients: [id] }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 200, 200]);
    const stored = list(await manage("GET", `/api/v2/clients/${id}/connections`), "connections").map((one) => one["id"]);
    expect(new Set(stored)).toEqual(new Set(connections));
    expect(stored).toHaveLength(connections.length);
  });

  test("sets an email address for only one of eight users if parallel updates set it for all", async () => {
    const ids = await Promise.all(
      many
        .slice(0, 8)
        .map(async (i) =>
          encodeURIComponent(
            stringMember(await manage.create("/api/v2/users", { connection, email: `mover-${i}@example.test` }), "user_id"),
          ),
        ),
    );
    const responses = await Promise.all(ids.map((id) => manage("PATCH", `/api/v2/users/${id}`, { email: "target@example.test" })));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...many.slice(1, 8).map(() => 409)]);
    expect(list(await manage("GET", "/api/v2/users?q=email:target@example.test"))).toHaveLength(1);
  });

  test("parallel updates never restore a deleted user", async () => {
    for (let round = 0; round < 8; round++) {
      const id = encodeURIComponent(
        stringMember(await manage.create("/api/v2/users", { connection, email: `gone-${round}@example.test` }), "user_id"),
      );
      const responses = await Promise.all([
        ...many.slice(0, 4).map(() => manage("PATCH", `/api/v2/users/${id}`, { name: "x" })),
        manage("DELETE", `/api/v2/users/${id}`),
        manage("DELETE", `/api/v2/users/${id}`),
      ]);
      expect(responses.every(({ status }) => [200, 204, 404, 409].includes(status))).toBe(true);
      expectError(await manage("GET", `/api/v2/users/${id}`), 404, "not_found");
      expect(await manage("POST", "/api/v2/users", { connection, email: `gone-${round}@example.test` })).toMatchObject({ status: 201 });
    }
  });

  test("logs every issued token", async () => {
    const before = (await auditEvents(manage, "seccft")).length;
    await Promise.all(many.map(() => service.token()));
    expect((await auditEvents(manage, "seccft")).length).toBe(before + 32);
    expect(service.faults).toEqual([]);
  });
}
