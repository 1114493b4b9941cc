import type { DataAdapter } from "@postern/core/adapter";
import { beforeAll, expect, test } from "vitest";
import { auditEvents, expectError, list, managerOf, object, text, type Json, type Manager } from "./api.ts";
import { createTestPostern, type TestPostern } from "./postern.ts";

const connection = "Username-Password-Authentication";
const many = Array.from({ length: 32 }, (_, i) => i);

/** What must hold where thirty-two callers come at once, on any store. */
export function testRaces(open: () => Promise<DataAdapter>): void {
  let service: TestPostern;
  let manage: Manager;

  beforeAll(async () => {
    service = await createTestPostern({ data: await open() });
    manage = await managerOf(service);
  });

  test("thirty-two creations of one address: one 201, and 31 clean conflicts", async () => {
    const before = (await auditEvents(manage, "sapi")).length;
    const answers = await Promise.all(
      many.map((i) =>
        manage("POST", "/api/v2/users", {
          connection,
          email: "Race@example.test",
          name: `Racer ${i}`,
          ...(i % 8 === 0 && { password: "Correct-horse-1" }),
        }),
      ),
    );
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== won[0]))
      expect(expectError(answer, 409, "conflict")).toMatchObject({ errorCode: "auth0_idp_error" });
    const found = list(await manage("GET", "/api/v2/users?q=email:race@example.test"));
    expect(found).toEqual([won[0]?.body]);
    expect((await auditEvents(manage, "sapi")).length).toBe(before + 1);
    // Nobody's password but the winner's is left behind.
    const hashes = await service.data.collections.passwords.count({ tenant_id: "main" });
    expect(hashes).toBe(answers.findIndex((answer) => answer === won[0]) % 8 === 0 ? 1 : 0);
  });

  test("thirty-two creations of one user_id with different addresses: one", async () => {
    const answers = await Promise.all(
      many.map((i) => manage("POST", "/api/v2/users", { connection, email: `id-race-${i}@example.test`, user_id: "auth0|race" })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...many.slice(1).map(() => 409)]);
    expect(list(await manage("GET", "/api/v2/users?q=email:id-race-*"))).toHaveLength(1);
  });

  test("thirty-two creations of one API, one connection, one grant: one each", async () => {
    const client_id = text(await manage.create("/api/v2/clients", { name: "App" }), "client_id");
    for (const [path, body] of [
      ["/api/v2/resource-servers", { identifier: "https://race.example.test" }],
      ["/api/v2/connections", { name: "race", strategy: "sms" }],
      ["/api/v2/client-grants", { client_id, audience: "https://race.example.test", scope: [] }],
    ] as const) {
      const answers = await Promise.all(many.map(() => manage("POST", path, body)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, ...many.slice(1).map(() => 409)]);
    }
  });

  test("parallel changes of one user: each that was answered 200 is there, each other was told 409 and is not", async () => {
    const id = encodeURIComponent(text(await manage.create("/api/v2/users", { connection, email: "patched@example.test" }), "user_id"));
    const answers = await Promise.all(many.map((i) => manage("PATCH", `/api/v2/users/${id}`, { app_metadata: { [`key${i}`]: i } })));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const kept = object(await manage("GET", `/api/v2/users/${id}`))["app_metadata"] as Json;
    const answered = Object.fromEntries(many.filter((i) => answers[i]?.status === 200).map((i) => [`key${i}`, i]));
    expect(kept).toEqual(answered);
    expect(Object.keys(answered).length).toBeGreaterThanOrEqual(5);
  });

  test("five changes at once all succeed: the tries suffice for them", async () => {
    const id = text(await manage.create("/api/v2/clients", { name: "Patched" }), "client_id");
    const answers = await Promise.all(
      many.slice(0, 5).map((i) => manage("PATCH", `/api/v2/clients/${id}`, { client_metadata: { [`key${i}`]: String(i) } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(Object.keys(object(await manage("GET", `/api/v2/clients/${id}`))["client_metadata"] as Json)).toHaveLength(5);
    const settings = await Promise.all(
      many.slice(0, 5).map((i) => manage("PATCH", "/api/v2/tenants/settings", { flags: { [`flag${i}`]: true } })),
    );
    expect(settings.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(object(await manage("GET", "/api/v2/tenants"))["flags"]).toMatchObject({ flag0: true, flag4: true });
  });

  test("two users that race for one address by PATCH: one has it", async () => {
    const ids = await Promise.all(
      many
        .slice(0, 8)
        .map(async (i) =>
          encodeURIComponent(text(await manage.create("/api/v2/users", { connection, email: `mover-${i}@example.test` }), "user_id")),
        ),
    );
    const answers = await Promise.all(ids.map((id) => manage("PATCH", `/api/v2/users/${id}`, { email: "target@example.test" })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...many.slice(1, 8).map(() => 409)]);
    expect(list(await manage("GET", "/api/v2/users?q=email:target@example.test"))).toHaveLength(1);
  });

  test("deleting and changing at once never brings anybody back", async () => {
    for (let round = 0; round < 8; round++) {
      const id = encodeURIComponent(
        text(await manage.create("/api/v2/users", { connection, email: `gone-${round}@example.test` }), "user_id"),
      );
      const answers = await Promise.all([
        ...many.slice(0, 4).map(() => manage("PATCH", `/api/v2/users/${id}`, { name: "x" })),
        manage("DELETE", `/api/v2/users/${id}`),
        manage("DELETE", `/api/v2/users/${id}`),
      ]);
      expect(answers.every(({ status }) => [200, 204, 404, 409].includes(status))).toBe(true);
      expectError(await manage("GET", `/api/v2/users/${id}`), 404, "not_found");
      expect(await manage("POST", "/api/v2/users", { connection, email: `gone-${round}@example.test` })).toMatchObject({ status: 201 });
    }
  });

  test("every token that was given is on record", async () => {
    const before = (await auditEvents(manage, "seccft")).length;
    await Promise.all(many.map(() => service.token()));
    expect((await auditEvents(manage, "seccft")).length).toBe(before + 32);
    expect(service.faults).toEqual([]);
  });
}
