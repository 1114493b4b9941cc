import { testServiceContext } from "../../../test/service-context.ts";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createManualClock } from "../../adapters/clock.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { TenantDatabases } from "./tenant-databases.ts";

/** Databases whose opening and closing a test holds up, and deadlines that pass when it says so. */
function held(options: Pick<DatabaseIsolation, "maxOpen"> = {}) {
  const clock = createManualClock(0);
  const told: string[] = [];
  const opened: string[] = [];
  const closed: string[] = [];
  const gates = new Map<string, Promise<void>>();
  const deadlines = new Set<() => void>();
  const adapterOf = (tenantId: string): DataAdapter => ({
    ...createMemoryAdapter(),
    async close() {
      await gates.get(`close ${tenantId}`);
      closed.push(tenantId);
    },
  });
  const shard = adapterOf("shard");
  const databases = new TenantDatabases(
    createMemoryAdapter(),
    {
      ...options,
      async getAdapters(tenantId) {
        opened.push(tenantId);
        if (tenantId.startsWith("shard")) return shard;
        await gates.get(`open ${tenantId}`);
        return adapterOf(tenantId);
      },
    },
    testServiceContext({
      clock,
      host: {
        logger: { log: ({ event }) => void told.push(event) },
        wait: (_, signal) =>
          new Promise((resolve) => {
            deadlines.add(resolve);
            signal?.addEventListener("abort", () => deadlines.delete(resolve));
          }),
      },
    }),
  );
  const hold = (what: string): (() => void) => {
    let release = (): void => {};
    gates.set(what, new Promise((resolve) => (release = resolve)));
    return () => {
      gates.delete(what);
      release();
    };
  };
  const deadline = async (): Promise<void> => {
    await turns();
    for (const pass of deadlines) pass();
    await turns();
  };
  return { databases, clock, told, opened, closed, hold, deadline };
}

const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};
const nothing = async (): Promise<string> => "answered";

test("a factory that hangs is given up, the others are served, and an answer that comes late is closed", async () => {
  const { databases, clock, told, closed, hold, deadline } = held();
  const release = hold("open a");
  const asked = databases.ask("a", nothing).catch((error: unknown) => error);
  expect(await databases.ask("b", nothing)).toBe("answered");
  await deadline();
  expect(await asked).toMatchObject({ name: "UnavailableError", cause: { name: "DeadlineError" } });
  expect(told).toEqual(["database_unavailable"]);
  // A moment later nobody waits for it again.
  await expect(databases.ask("a", nothing)).rejects.toMatchObject({ name: "UnavailableError" });
  release();
  await turns();
  expect(closed).toEqual(["a"]);
  clock.advance("1s");
  expect(await databases.ask("a", nothing)).toBe("answered");
});

test("a database is opened again only when it was closed", async () => {
  const { databases, closed, hold } = held();
  await databases.ask("a", nothing);
  const release = hold("close a");
  const closing = databases.close("a");
  let answered = false;
  const again = databases.ask("a", nothing).then(() => (answered = true));
  await turns();
  expect(answered).toBe(false);
  release();
  await Promise.all([closing, again]);
  expect(closed).toEqual(["a"]);
});

test("closing waits for the questions that are open, and for a question without end not for ever", async () => {
  const { databases, closed, deadline } = held();
  let finish = (): void => {};
  const asked = databases.ask("a", () => new Promise<void>((resolve) => (finish = resolve)));
  await turns();
  const closing = databases.close("a");
  await turns();
  expect(closed).toEqual([]);
  finish();
  await Promise.all([asked, closing]);
  expect(closed).toEqual(["a"]);

  void databases.ask("b", () => new Promise<void>(() => {}));
  await turns();
  const gone = databases.close("b");
  await deadline();
  await gone;
  expect(closed).toEqual(["a", "b"]);
});

test("a database that does not close is told of, and opened again", async () => {
  const { databases, told, hold, deadline } = held();
  await databases.ask("a", nothing);
  hold("close a");
  const closing = databases.close("a");
  await deadline();
  await closing;
  expect(told).toEqual(["database_not_closed"]);
  expect(await databases.ask("a", nothing)).toBe("answered");
});

test("a tenant that is closed is looked at anew, also where it could not be opened a moment ago", async () => {
  const { databases, hold, deadline } = held();
  const release = hold("open a");
  const asked = databases.ask("a", nothing).catch((error: unknown) => error);
  await deadline();
  expect(await asked).toBeInstanceOf(Error);
  release();
  await databases.close("a");
  expect(await databases.ask("a", nothing)).toBe("answered");
});

test("what is being asked keeps its place, and goes when it has answered", async () => {
  const { databases, opened, closed } = held({ maxOpen: 1 });
  let finish = (): void => {};
  const asked = databases.ask("a", () => new Promise<void>((resolve) => (finish = resolve)));
  await turns();
  await databases.ask("b", nothing);
  await databases.ask("a", nothing);
  await turns();
  expect({ opened, closed }).toEqual({ opened: ["a", "b"], closed: ["b"] });
  finish();
  await asked;
  await databases.ask("b", nothing);
  await turns();
  expect({ opened, closed }).toEqual({ opened: ["a", "b", "b"], closed: ["b", "a"] });
});

test("an adapter of several tenants is closed when the last of them has no use for it", async () => {
  const { databases, closed } = held();
  await Promise.all([databases.ask("shard1", nothing), databases.ask("shard2", nothing)]);
  await databases.close("shard1");
  expect(closed).toEqual([]);
  await databases.close("shard2");
  expect(closed).toEqual(["shard"]);
});
