import { expect, test } from "vitest";
import { expectError, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { allRows, createCrashingStore, operationsOf, readOperationSteps } from "../support/child-tenants.ts";
import { forEachWrite } from "../support/each-write.ts";
import { createTestPostern, type ApiResponse, type TestOptions, type TestPostern } from "../support/postern.ts";

/** The request during which a process crashes, and the expected state afterwards. */
interface CrashCase {
  /** Requests that prepare the state. */
  readonly first: readonly (readonly [method: string, path: string, body?: unknown])[];
  /** The request during which the process crashes. */
  readonly at: readonly [method: string, path: string, body?: unknown];
  /** The kind of the operation that the request starts. */
  readonly kind: string;
  /** Whether the tenant exists after the operation succeeded, and after it failed. */
  readonly there: { readonly done: boolean; readonly undone: boolean };
  /** The hook that is called after the operation succeeded. */
  readonly hook: string;
}

const acme = { id: "acme", name: "Acme" };
const deaths: { readonly [what: string]: CrashCase } = {
  creation: { first: [], at: ["POST", "/tenants", acme], kind: "provision", there: { done: true, undone: false }, hook: "created" },
  deletion: {
    first: [["POST", "/tenants", acme]],
    at: ["DELETE", "/tenants/acme"],
    kind: "deprovision",
    there: { done: false, undone: true },
    hook: "deleted",
  },
  change: {
    first: [["POST", "/tenants", acme]],
    at: ["PATCH", "/tenants/acme", { name: "Acme Ltd" }],
    kind: "update",
    there: { done: true, undone: true },
    hook: "updated Acme -> Acme Ltd",
  },
  upgrade: {
    first: [["POST", "/tenants", acme]],
    at: ["POST", "/tenants/acme/operations", { kind: "upgrade" }],
    kind: "upgrade",
    there: { done: true, undone: true },
    hook: "",
  },
};

/** Creates a process whose hooks record their calls. */
function openProcess(options: TestOptions, result: string[]): Promise<TestPostern> {
  const hooks = {
    onTenantCreated: () => void result.push("created"),
    onTenantUpdated: (before: { name: string }, after: { name: string }) => void result.push(`updated ${before.name} -> ${after.name}`),
    onTenantDeleted: () => void result.push("deleted"),
  };
  return createTestPostern({ ...options, hooks, logger: { log: () => {} } });
}

async function sendAll(main: Manager, requests: CrashCase["first"]): Promise<void> {
  for (const [method, path, body] of requests) expect((await main(method, path, body)).status).toBeLessThan(300);
}

test.each(Object.entries(deaths))(
  "after a crash at any write, the %s of a tenant is completed or undone as a whole, and its operation has the matching status",
  { timeout: 60_000 },
  async (_, { first, at: [method, path, body], kind, there, hook }) => {
    await forEachWrite(async (write) => {
      const store = createCrashingStore();
      const result: string[] = [];
      const crashing = await openProcess({ data: store.data }, result);
      const main = await managerOf(crashing);
      const role = await main.create("/api/v2/roles", { name: "Helper" });
      const empty = await allRows(store.data);
      await sendAll(main, first);
      result.length = 0;
      store.crashAt(write);
      const response: ApiResponse = await main(method, path, body);
      const writes = store.writes.length;
      const crashAt = store.writes[write - 1] ?? "none";
      store.recover();

      // Another process on the same store, after the lease of the first expired.
      const next = await openProcess({ data: store.data, testing: { clock: crashing.clock } }, result);
      crashing.clock.advance("61s");
      for (let round = 0; round < 3; round++) await next.postern.jobs.sweep();
      const nextManager = await managerOf(next);

      const operations = (await operationsOrNone(nextManager)).filter((operation) => operation["kind"] === kind);
      const [operation] = operations;
      expect(operations.length, crashAt).toBeLessThanOrEqual(1);
      if (operation !== undefined) expect(["succeeded", "failed"], crashAt).toContain(operation["status"]);
      const seen = (await nextManager("GET", "/tenants/acme")).status === 200;
      const done = operation?.["status"] === "succeeded";
      expect(seen, `${crashAt}: ${response.status}`).toBe(done ? there.done : there.undone);
      // A hook whose call was not stored is called again.
      expect([...new Set(result)], crashAt).toEqual(done && hook !== "" ? [hook] : []);
      if (response.status < 300) expect(done).toBe(true);
      if (seen) {
        // Complete: with its organization, its first rows and the control plane's copies.
        jsonBody(await nextManager("GET", "/api/v2/organizations/name/acme"));
        const rows = await allRows(store.data);
        const own = (collection: string, expectedText: string) =>
          rows.filter((row) => row.startsWith(`${collection}:`) && row.includes('"acme"') && row.includes(expectedText)).length;
        expect([own("resource_servers", '"is_system":true'), own("connections", ""), own("roles", String(role["id"]))], crashAt).toEqual([
          1, 1, 1,
        ]);
        jsonBody(await nextManager("DELETE", "/tenants/acme"));
      }
      expectError(await nextManager("GET", "/api/v2/organizations/name/acme"), 404, "not_found");
      expect(await allRows(store.data), crashAt).toEqual(empty);
      // The id can be used again.
      jsonBody(await nextManager("POST", "/tenants", acme), 201);
      return writes;
    });
  },
);

/** Returns the operations on the tenant; an empty list if the tenant never existed. */
async function operationsOrNone(main: Manager): ReturnType<typeof operationsOf> {
  return (await main("GET", "/tenants/acme/operations")).status === 404 ? [] : operationsOf(main, "acme");
}

test("the operation of a creation lists the steps of its rollback after a crash", async () => {
  const store = createCrashingStore();
  const service = await openProcess({ data: store.data }, []);
  const main = await managerOf(service);
  store.crashAt(12);
  expect(await main("POST", "/tenants", acme)).toMatchObject({ status: 500 });
  store.recover();
  service.clock.advance("61s");
  await service.postern.jobs.sweep();
  const [operation] = await operationsOf(main, "acme");
  expect(operation).toMatchObject({ kind: "provision", status: "failed", error: expect.stringContaining("stopped") });
  expect((await readOperationSteps(main, operation)).slice(-6)).toEqual([
    "directory running",
    "directory succeeded",
    "records running",
    "records succeeded",
    "organization running",
    "organization succeeded",
  ]);
});

test.each(["creation", "deletion"] as const)(
  "after a second crash, at any write of the recovery from a crash during the %s, a third process completes the recovery",
  { timeout: 60_000 },
  async (what) => {
    const { first, at } = deaths[what] ?? { first: [], at: ["", ""] };
    const [method, path, body] = at;
    await forEachWrite(async (write) => {
      const store = createCrashingStore();
      const result: string[] = [];
      const crashing = await openProcess({ data: store.data }, result);
      const main = await managerOf(crashing);
      const empty = await allRows(store.data);
      await sendAll(main, first);
      result.length = 0;
      store.crashAt(what === "creation" ? 11 : 14);
      expect(await main(method, path, body)).toMatchObject({ status: 500 });
      crashing.clock.advance("61s");
      store.crashAt(write);
      // The hook may never be called, because a crashed process sends no response.
      await crashing.postern.jobs.sweep().catch(() => {});
      const writes = store.writes.length;
      const crashAt = store.writes[write - 1] ?? "none";
      store.recover();
      for (let round = 0; round < 2; round++) {
        crashing.clock.advance("61s");
        await crashing.postern.jobs.sweep();
      }
      expect(await allRows(store.data), crashAt).toEqual(empty);
      const [operation] = await operationsOf(main, "acme");
      expect(operation, crashAt).toMatchObject({ status: what === "creation" ? "failed" : "succeeded" });
      expect([...new Set(result)], crashAt).toEqual(what === "creation" ? [] : ["deleted"]);
      return writes;
    });
  },
);
