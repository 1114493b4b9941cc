import { expect, test } from "vitest";
import { expectError, managerOf, object, type Manager } from "../support/api.ts";
import { allRows, createCrashingStore, operationsOf, stepsOf } from "../support/children.ts";
import { createTestPostern, type Answer, type TestOptions, type TestPostern } from "../support/postern.ts";

/** What a process may die of, and what was to be seen of it afterwards. */
interface Dying {
  /** What is there before. */
  readonly first: readonly (readonly [method: string, path: string, body?: unknown])[];
  /** What the process dies at. */
  readonly at: readonly [method: string, path: string, body?: unknown];
  /** The kind of its operation. */
  readonly kind: string;
  /** Whether the tenant is there, when it came about and when not. */
  readonly there: { readonly done: boolean; readonly undone: boolean };
  /** The hook that is told when it came about. */
  readonly hook: string;
}

const acme = { id: "acme", name: "Acme" };
const deaths: { readonly [what: string]: Dying } = {
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

/** A process whose hooks keep what they are told of. */
function openProcess(options: TestOptions, told: string[]): Promise<TestPostern> {
  const hooks = {
    onTenantCreated: () => void told.push("created"),
    onTenantUpdated: (before: { name: string }, after: { name: string }) => void told.push(`updated ${before.name} -> ${after.name}`),
    onTenantDeleted: () => void told.push("deleted"),
  };
  return createTestPostern({ ...options, hooks, logger: { log: () => {} } });
}

async function sendAll(main: Manager, requests: Dying["first"]): Promise<void> {
  for (const [method, path, body] of requests) expect((await main(method, path, body)).status).toBeLessThan(300);
}

test.each(Object.entries(deaths))(
  "a process that dies at any write of the %s of a tenant leaves it whole or not at all, and the operation says which",
  { timeout: 60_000 },
  async (_, { first, at: [method, path, body], kind, there, hook }) => {
    for (let write = 1, died = true; died; write++) {
      const store = createCrashingStore();
      const told: string[] = [];
      const dying = await openProcess({ data: store.data }, told);
      const main = await managerOf(dying);
      const role = await main.create("/api/v2/roles", { name: "Helper" });
      const empty = await allRows(store.data);
      await sendAll(main, first);
      told.length = 0;
      store.crashAt(write);
      const answer: Answer = await main(method, path, body);
      died = store.writes.length >= write;
      const fatal = store.writes[write - 1] ?? "none";
      store.recover();

      // Another process on the same store, when the lease of the first is over.
      const next = await openProcess({ data: store.data, testing: { clock: dying.clock } }, told);
      dying.clock.advance("61s");
      for (let round = 0; round < 3; round++) await next.postern.jobs.sweep();
      const again = await managerOf(next);

      const operations = (await operationsAnyway(again)).filter((operation) => operation["kind"] === kind);
      const [operation] = operations;
      expect(operations.length, fatal).toBeLessThanOrEqual(1);
      if (operation !== undefined) expect(["succeeded", "failed"], fatal).toContain(operation["status"]);
      const seen = (await again("GET", "/tenants/acme")).status === 200;
      const done = operation?.["status"] === "succeeded";
      expect(seen, `${fatal}: ${answer.status}`).toBe(done ? there.done : there.undone);
      // A hook whose call is not on record is told once more.
      expect([...new Set(told)], fatal).toEqual(done && hook !== "" ? [hook] : []);
      if (answer.status < 300) expect(done).toBe(true);
      if (seen) {
        // Whole: with its organization, its first records and the control plane's copies.
        object(await again("GET", "/api/v2/organizations/name/acme"));
        const rows = await allRows(store.data);
        const own = (collection: string, says: string) =>
          rows.filter((row) => row.startsWith(`${collection}:`) && row.includes('"acme"') && row.includes(says)).length;
        expect([own("resource_servers", '"is_system":true'), own("connections", ""), own("roles", String(role["id"]))], fatal).toEqual([
          1, 1, 1,
        ]);
        object(await again("DELETE", "/tenants/acme"));
      }
      expectError(await again("GET", "/api/v2/organizations/name/acme"), 404, "not_found");
      expect(await allRows(store.data), fatal).toEqual(empty);
      // The id can be made again.
      object(await again("POST", "/tenants", acme), 201);
      expect(write).toBeLessThan(80);
    }
  },
);

/** The operations on the tenant, also where there was never one. */
async function operationsAnyway(main: Manager): ReturnType<typeof operationsOf> {
  return (await main("GET", "/tenants/acme/operations")).status === 404 ? [] : operationsOf(main, "acme");
}

test("a creation that a lost process left is undone step by step, on record in its own operation", async () => {
  const store = createCrashingStore();
  const service = await openProcess({ data: store.data }, []);
  const main = await managerOf(service);
  store.crashAt(12);
  expect(await main("POST", "/tenants", acme)).toMatchObject({ status: 500 });
  store.recover();
  service.clock.advance("61s");
  await service.postern.jobs.sweep();
  const [operation] = await operationsOf(main, "acme");
  expect(operation).toMatchObject({ kind: "provision", status: "failed", error: expect.stringContaining("lost") });
  expect((await stepsOf(main, operation)).slice(-6)).toEqual([
    "directory running",
    "directory succeeded",
    "records running",
    "records succeeded",
    "organization running",
    "organization succeeded",
  ]);
});

test.each(["creation", "deletion"] as const)(
  "what finishes the %s of a lost process may be lost itself, at any write, and a third one finishes it",
  { timeout: 60_000 },
  async (what) => {
    const { first, at } = deaths[what] ?? { first: [], at: ["", ""] };
    const [method, path, body] = at;
    for (let write = 1, died = true; died; write++) {
      const store = createCrashingStore();
      const told: string[] = [];
      const dying = await openProcess({ data: store.data }, told);
      const main = await managerOf(dying);
      const empty = await allRows(store.data);
      await sendAll(main, first);
      told.length = 0;
      store.crashAt(what === "creation" ? 11 : 14);
      expect(await main(method, path, body)).toMatchObject({ status: 500 });
      dying.clock.advance("61s");
      store.crashAt(write);
      // It may be that nobody is told: whoever dies answers nothing.
      await dying.postern.jobs.sweep().catch(() => {});
      died = store.writes.length >= write;
      const fatal = store.writes[write - 1] ?? "none";
      store.recover();
      for (let round = 0; round < 2; round++) {
        dying.clock.advance("61s");
        await dying.postern.jobs.sweep();
      }
      expect(await allRows(store.data), fatal).toEqual(empty);
      const [operation] = await operationsOf(main, "acme");
      expect(operation, fatal).toMatchObject({ status: what === "creation" ? "failed" : "succeeded" });
      expect([...new Set(told)], fatal).toEqual(what === "creation" ? [] : ["deleted"]);
      expect(write).toBeLessThan(60);
    }
  },
);
