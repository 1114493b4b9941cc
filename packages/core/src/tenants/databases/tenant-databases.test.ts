import { testServiceContext } from "../../../test/service-context.ts";
import { createMemoryAdapter } from "@postern/memory";
import { expect, test } from "vitest";
import { createManualClock } from "../../adapters/clock.ts";
import type { DatabaseIsolation } from "../../adapters/database-isolation.ts";
import type { DataAdapter } from "../../store/contract.ts";
import { OpenTenantDatabases } from "./tenant-databases.ts";

/** Creates databases whose opening and closing a test can delay, with deadlines that the test controls. */
function held(options: Pick<DatabaseIsolation, "maxOpen"> = {}) {
  const clock = createManualClock(0);
  const events: string[] = [];
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
  const databases = new OpenTenantDatabases(
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
        logger: { log: ({ event }) => void events.push(event) },
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
  return { databases, clock, events, opened, closed, hold, deadline };
}

const turns = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
};
const nothing = async (): Promise<string> => "done";

test("a getAdapters() call that hangs times out, other tenants are served, and an adapter that it returns late is closed", async () => {
  const { databases, clock, events, closed, hold, deadline } = held();
  const release = hold("open a");
  const call = databases.run("a", nothing).catch((error: unknown) => error);
  expect(await databases.run("b", nothing)).toBe("done");
  await deadline();
  expect(await call).toMatchObject({ name: "UnavailableError", cause: { name: "DeadlineError" } });
  expect(events).toEqual(["database_unavailable"]);
  // Right after the failure, further calls fail at once.
  await expect(databases.run("a", nothing)).rejects.toMatchObject({ name: "UnavailableError" });
  release();
  await turns();
  expect(closed).toEqual(["a"]);
  clock.advance("1s");
  expect(await databases.run("a", nothing)).toBe("done");
});

test("a tenant's database that is being closed is opened again only after that", async () => {
  const { databases, closed, hold } = held();
  await databases.run("a", nothing);
  const release = hold("close a");
  const closing = databases.close("a");
  let answered = false;
  const again = databases.run("a", nothing).then(() => (answered = true));
  await turns();
  expect(answered).toBe(false);
  release();
  await Promise.all([closing, again]);
  expect(closed).toEqual(["a"]);
});

test("closing a tenant's database waits for calls in progress, up to a timeout", async () => {
  const { databases, closed, deadline } = held();
  let finish = (): void => {};
  const call = databases.run("a", () => new Promise<void>((resolve) => (finish = resolve)));
  await turns();
  const closing = databases.close("a");
  await turns();
  expect(closed).toEqual([]);
  finish();
  await Promise.all([call, closing]);
  expect(closed).toEqual(["a"]);

  void databases.run("b", () => new Promise<void>(() => {}));
  await turns();
  const gone = databases.close("b");
  await deadline();
  await gone;
  expect(closed).toEqual(["a", "b"]);
});

test("a tenant's database that does not close in time is logged and can be opened again", async () => {
  const { databases, events, hold, deadline } = held();
  await databases.run("a", nothing);
  hold("close a");
  const closing = databases.close("a");
  await deadline();
  await closing;
  expect(events).toEqual(["database_not_closed"]);
  expect(await databases.run("a", nothing)).toBe("done");
});

test("closing a tenant's database clears the cached error of a failed attempt to open it", async () => {
  const { databases, hold, deadline } = held();
  const release = hold("open a");
  const call = databases.run("a", nothing).catch((error: unknown) => error);
  await deadline();
  expect(await call).toBeInstanceOf(Error);
  release();
  await databases.close("a");
  expect(await databases.run("a", nothing)).toBe("done");
});

test("a tenant's database is not evicted until its calls in progress have ended", async () => {
  const { databases, opened, closed } = held({ maxOpen: 1 });
  let finish = (): void => {};
  const call = databases.run("a", () => new Promise<void>((resolve) => (finish = resolve)));
  await turns();
  await databases.run("b", nothing);
  await databases.run("a", nothing);
  await turns();
  expect({ opened, closed }).toEqual({ opened: ["a", "b"], closed: ["b"] });
  finish();
  await call;
  await databases.run("b", nothing);
  await turns();
  expect({ opened, closed }).toEqual({ opened: ["a", "b", "b"], closed: ["b", "a"] });
});

test("an adapter that several tenants use is closed when the last of them is closed", async () => {
  const { databases, closed } = held();
  await Promise.all([databases.run("shard1", nothing), databases.run("shard2", nothing)]);
  await databases.close("shard1");
  expect(closed).toEqual([]);
  await databases.close("shard2");
  expect(closed).toEqual(["shard"]);
});
