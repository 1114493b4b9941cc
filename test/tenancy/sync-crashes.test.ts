import { expect, test } from "vitest";
import { list, managerOf, jsonBody, stringMember, type JsonBody, type Manager } from "../support/api.ts";
import { createCrashingStore, childTenantToken } from "../support/child-tenants.ts";
import { forEachWrite } from "../support/each-write.ts";
import { asCopies, addPermissions, findByName, apisAndRolesOf } from "../sync/synced-tenants.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "../support/postern.ts";

const api = "https://api.example.test/";
const open = (options: TestOptions) => createTestPostern({ ...options, logger: { log: () => {} } });

/** Returns a manager that calls a service with a token that another process issued. */
function managerBy({ call }: TestPostern, token: string): Manager {
  const send = (method: string, path: string, body?: unknown) => call(method, path, { token, ...(body !== undefined && { body }) });
  return Object.assign(send, { create: async (path: string, body: unknown) => jsonBody(await send("POST", path, body), 201) });
}

const changes: { readonly [what: string]: (main: Manager) => Promise<unknown> } = {
  "a new role": (main) => main("POST", "/api/v2/roles", { name: "Editor" }),
  "a new name of a role": async (main) =>
    main("PATCH", `/api/v2/roles/${stringMember(await findByName(main, "roles", "Reader"), "id")}`, { name: "Guest" }),
  "the deletion of a role": async (main) =>
    main("DELETE", `/api/v2/roles/${stringMember(await findByName(main, "roles", "Reader"), "id")}`),
  "a new scope of an API": async (main) =>
    main("PATCH", `/api/v2/resource-servers/${stringMember(await findByName(main, "resource-servers", "Things"), "id")}`, {
      scopes: [{ value: "read:things" }, { value: "write:things" }],
    }),
};

test.each(Object.entries(changes))(
  "syncs %s on the control plane to every tenant, even after a crash at any of its writes",
  { timeout: 60_000 },
  async (_, change) => {
    await forEachWrite(async (write) => {
      const store = createCrashingStore();
      const crashing = await open({ data: store.data });
      const main = await managerOf(crashing);
      await main.create("/api/v2/resource-servers", { identifier: api, name: "Things", scopes: [{ value: "read:things" }] });
      const role = stringMember(await main.create("/api/v2/roles", { name: "Reader" }), "id");
      await addPermissions(main, role, api, ["read:things"]);
      await main.create("/tenants", { id: "acme", name: "Acme" });
      const token = await childTenantToken(crashing, "acme");
      store.crashAt(write);
      await change(main);
      const writes = store.writes.length;
      const crashAt = store.writes[write - 1] ?? "none";
      store.recover();

      const next = await open({ data: store.data, testing: { clock: crashing.clock } });
      next.clock.advance("61s");
      crashing.clock.advance("61s");
      for (let round = 0; round < 3; round++) await next.postern.jobs.sweep();
      const [shared, copies] = [await apisAndRolesOf(await managerOf(next, "main")), await apisAndRolesOf(managerBy(next, token))];
      expect(copies, `${write}: ${crashAt}`).toEqual(asCopies(shared));
      const operations = list(await (await managerOf(next))("GET", "/tenants/main/operations?kind=sync"), "operations");
      expect(
        operations.filter(({ status }: JsonBody) => status !== "succeeded"),
        crashAt,
      ).toEqual([]);
      return writes;
    });
  },
);
