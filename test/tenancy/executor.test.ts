import type { OperationExecutor } from "@postern/core";
import type { DataAdapter } from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { describe, expect, test } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { allRows, createRecordingLogger, createCrashingStore, operationsOf } from "../support/child-tenants.ts";
import { forEachWrite } from "../support/each-write.ts";
import { createTestPostern, type TestOptions, type TestPostern } from "../support/postern.ts";

const acme = { id: "acme", name: "Acme" };

async function openWith(options: TestOptions): Promise<TestPostern & { readonly main: Manager; readonly logged: readonly string[] }> {
  const logger = createRecordingLogger();
  const service = await createTestPostern({ logger, ...options });
  return {
    ...service,
    main: await managerOf(service),
    get logged() {
      return logger.entries.map(({ event }) => event);
    },
  };
}

async function upgrade(main: Manager): Promise<string> {
  return stringMember(jsonBody(await main("POST", "/tenants/acme/operations", { kind: "upgrade" }), 201), "id");
}

describe("an operation executor of the host application", () => {
  test("receives the id of an operation, which is pending until the host application runs it", async () => {
    const submitted: string[] = [];
    const { main, postern } = await openWith({ operationExecutor: { submit: (id) => void submitted.push(id) } });
    await main.create("/tenants", acme);
    const id = await upgrade(main);
    expect(submitted).toEqual([id]);
    expect(jsonBody(await main("GET", `/operations/${id}`))).toMatchObject({ status: "pending", events: [] });
    await postern.jobs.runOperation(id);
    const done = jsonBody(await main("GET", `/operations/${id}`));
    expect(done).toMatchObject({ status: "succeeded" });
    await postern.jobs.runOperation(id);
    await postern.jobs.runOperation("top_nothing");
    expect(jsonBody(await main("GET", `/operations/${id}`))).toEqual(done);
  });

  test.each<readonly [string, OperationExecutor["submit"]]>([
    [
      "throws",
      () => {
        throw new Error("the queue is unavailable");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the queue is unavailable"))],
  ])("is logged if it %s, and the sweep runs the operation", async (_, submit) => {
    const service = await openWith({ operationExecutor: { submit } });
    await service.main.create("/tenants", acme);
    const id = await upgrade(service.main);
    expect(service.logged).toContain("operation_not_submitted");
    await service.postern.jobs.sweep();
    expect(jsonBody(await service.main("GET", `/operations/${id}`))).toMatchObject({ status: "succeeded" });
  });
});

/** Creates an adapter that has no collections for operations. */
function withoutOperations(data: DataAdapter): DataAdapter {
  const { tenant_operations: _, tenant_operation_events: __, ...collections } = data.collections;
  return { ...data, collections };
}

describe("an adapter without operations", () => {
  test("disables only the routes of operations, and omits them from the OpenAPI document", async () => {
    const { main, call } = await openWith({ data: withoutOperations(createMemoryAdapter({ strict: true })) });
    await main.create("/tenants", acme);
    expect(await main("GET", "/tenants/acme/operations")).toMatchObject({ status: 404 });
    expect(await main("POST", "/tenants/acme/operations", { kind: "upgrade" })).toMatchObject({ status: 404 });
    expect(await main("GET", "/operations/top_1")).toMatchObject({ status: 404 });
    const paths = Object.keys(jsonBody(await call("GET", "/api/v2/spec"))["paths"] ?? {});
    expect(paths).toContain("/tenants/{id}");
    expect(paths.filter((path) => path.includes("operations"))).toEqual([]);
  });

  test("still allows creating, syncing, updating and deleting tenants, and hooks are called", async () => {
    const hookCalls: string[] = [];
    const data = withoutOperations(createMemoryAdapter({ strict: true }));
    const hooks = {
      onTenantCreated: () => void hookCalls.push("created"),
      onTenantUpdated: () => void hookCalls.push("updated"),
      onTenantDeleted: () => void hookCalls.push("deleted"),
    };
    const { main } = await openWith({ data, hooks });
    await main.create("/tenants", acme);
    const role = await main.create("/api/v2/roles", { name: "Helper" });
    expect(await data.collections.roles.count({ tenant_id: "acme", origin: stringMember(role, "id") })).toBe(1);
    jsonBody(await main("PATCH", "/tenants/acme", { name: "Acme Ltd" }));
    jsonBody(await main("DELETE", "/tenants/acme"));
    expect(hookCalls).toEqual(["created", "updated", "deleted"]);
    expect((await allRows(data)).filter((row) => row.includes('"acme"'))).toEqual([]);
  });

  test.each(["POST", "DELETE"] as const)("allows the recovery from a crash at any write of a %s request", async (method) => {
    await forEachWrite(async (write) => {
      const store = createCrashingStore();
      const data = withoutOperations(store.data);
      const hookCalls: string[] = [];
      const hooks = { onTenantDeleted: () => void hookCalls.push("deleted") };
      const { main, postern, clock } = await openWith({ data, hooks });
      const empty = await allRows(data);
      if (method === "DELETE") await main.create("/tenants", acme);
      store.crashAt(write);
      if (method === "POST") await main("POST", "/tenants", acme);
      else await main("DELETE", "/tenants/acme");
      const writes = store.writes.length;
      store.recover();
      clock.advance("61s");
      await postern.jobs.sweep();
      const there = (await main("GET", "/tenants/acme")).status === 200;
      // A deletion that had not started is requested again.
      if (there) jsonBody(await main("DELETE", "/tenants/acme"));
      expect(await allRows(data)).toEqual(empty);
      if (method === "DELETE") expect(new Set(hookCalls)).toEqual(new Set(["deleted"]));
      return writes;
    });
  });
});

test("operations for creations and deletions are not stored if the host application disables them, and recovery after a crash still works", async () => {
  let broken = false;
  const data = aroundWrites(createMemoryAdapter({ strict: true }), async (name, run) => {
    if (broken && name === "connections.insert") throw new Error("the store is unavailable");
    return run();
  });
  const { main } = await openWith({ data, databaseIsolation: { getAdapters: () => undefined, recordProvisionOperations: false } });
  const empty = await allRows(data);
  broken = true;
  expect(await main("POST", "/tenants", acme)).toMatchObject({ status: 500 });
  expect(await allRows(data)).toEqual(empty);
  broken = false;
  await main.create("/tenants", acme);
  expect(list(await main("GET", "/tenants/acme/operations"), "operations")).toEqual([]);
  await upgrade(main);
  expect(await operationsOf(main, "acme")).toMatchObject([{ kind: "upgrade", status: "succeeded" }]);
  jsonBody(await main("DELETE", "/tenants/acme"));
  expect(await operationsOf(main, "acme")).toMatchObject([{ kind: "upgrade" }]);
  expect(await allRows(data)).toEqual(empty);
});
