import type { HookTenant, TenantHooks } from "@postern/core";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectError, managerOf, jsonBody, type Manager } from "../support/api.ts";
import { allRows, createRecordingLogger, operationsOf, readOperationSteps } from "../support/child-tenants.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

interface HookService extends TestPostern {
  readonly main: Manager;
}

async function openWith(hooks: TenantHooks): Promise<HookService> {
  const service = await createTestPostern({ hooks, logger: createRecordingLogger() });
  return { ...service, main: await managerOf(service) };
}

const acme = { id: "acme", name: "Acme" };

/** A change to a tenant, with the hooks that are called before and after it. */
interface Change {
  readonly before: "onTenantCreating" | "onTenantUpdating" | "onTenantDeleting";
  readonly after: "onTenantCreated" | "onTenantUpdated" | "onTenantDeleted";
  readonly kind: string;
  readonly make: (main: Manager) => Promise<ApiResponse>;
}

const changes: readonly (readonly [string, Change])[] = [
  ["creation", { before: "onTenantCreating", after: "onTenantCreated", kind: "provision", make: (main) => main("POST", "/tenants", acme) }],
  [
    "change",
    {
      before: "onTenantUpdating",
      after: "onTenantUpdated",
      kind: "update",
      make: (main) => main("PATCH", "/tenants/acme", { name: "Acme Ltd" }),
    },
  ],
  [
    "deletion",
    { before: "onTenantDeleting", after: "onTenantDeleted", kind: "deprovision", make: (main) => main("DELETE", "/tenants/acme") },
  ],
];

/** Creates the tenant if the change needs an existing one. */
async function prepare({ main }: HookService, { before }: Change): Promise<void> {
  if (before !== "onTenantCreating") await main.create("/tenants", acme);
}

afterEach(() => {
  vi.useRealTimers();
});

/** A hook that never returns, with a promise that resolves when the hook is called. */
function hanging(): { readonly hook: () => Promise<void>; readonly called: Promise<void> } {
  const { promise: called, resolve } = Promise.withResolvers<void>();
  return {
    called,
    hook: () => {
      resolve();
      return new Promise(() => {});
    },
  };
}

test("hooks receive the tenant before and after each change", async () => {
  const calls: (readonly [name: string, ...tenants: readonly HookTenant[]])[] = [];
  const report =
    (name: string) =>
    (...tenants: readonly HookTenant[]): void =>
      void calls.push([name, ...tenants]);
  const { main, clock } = await openWith({
    onTenantCreating: report("creating"),
    onTenantCreated: report("created"),
    onTenantUpdating: report("updating"),
    onTenantUpdated: report("updated"),
    onTenantDeleting: report("deleting"),
    onTenantDeleted: report("deleted"),
  });
  await main.create("/tenants", { ...acme, friendly_name: "The Acme" });
  clock.advance("1s");
  jsonBody(await main("PATCH", "/tenants/acme", { name: "Acme Ltd" }));
  jsonBody(await main("DELETE", "/tenants/acme"));
  const [created, changed] = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.000Z"];
  const first = { id: "acme", name: "Acme", friendly_name: "The Acme", created_at: created, updated_at: created };
  const planned = { ...first, name: "Acme Ltd" };
  const second = { ...planned, updated_at: changed };
  expect(calls).toEqual([
    ["creating", first],
    ["created", first],
    ["updating", first, planned],
    ["updated", first, second],
    ["deleting", second],
    ["deleted", second],
  ]);
});

describe.each(changes)("a hook before the %s", (_, change) => {
  test.each([
    [
      "an error with a public message",
      () => Object.assign(new Error("no more room"), { expose: true }),
      "the host application rejected this change: no more room",
    ],
    ["any other error", () => new Error("secret words"), "the host application rejected this change"],
    ["a value that is not an error", () => "secret words", "the host application rejected this change"],
  ])("cancels the change and leaves no data behind if it throws %s", async (_what, thrown, expectedText) => {
    let refuses = false;
    const service = await openWith({
      [change.before]: () => {
        if (refuses) throw thrown();
      },
    });
    await prepare(service, change);
    const before = await allRows(service.data);
    refuses = true;
    const body = expectError(await change.make(service.main), 400, "invalid_request");
    expect(body["error_description"]).toBe(expectedText);
    expect(await allRows(service.data)).toEqual(before);
    refuses = false;
    expect((await change.make(service.main)).status).toBeLessThan(300);
  });

  test("cancels the change and leaves no data behind if it does not return within ten seconds, even if it throws later", async () => {
    const late = hanging();
    const { promise: response, reject } = Promise.withResolvers<void>();
    let hangs = false;
    const service = await openWith({
      [change.before]: async () => {
        if (!hangs) return;
        void late.hook();
        await response;
      },
    });
    await prepare(service, change);
    const before = await allRows(service.data);
    hangs = true;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const made = change.make(service.main);
    await late.called;
    await vi.advanceTimersByTimeAsync(10_000);
    expectError(await made, 503, "temporarily_unavailable", change.before);
    reject(new Error("late"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await allRows(service.data)).toEqual(before);
  });
});

describe.each(changes)("a hook after the %s", (_, change) => {
  test("does not undo the change if it throws, and is called again by the sweep, up to five times in total", async () => {
    let calls = 0;
    const service = await openWith({
      [change.after]: () => {
        calls++;
        throw new Error("not now");
      },
    });
    await prepare(service, change);
    expect((await change.make(service.main)).status).toBeLessThan(300);
    expect(calls).toBe(1);
    const newest = async () => (await operationsOf(service.main, "acme"))[0];
    expect(await newest()).toMatchObject({ kind: change.kind, status: "running" });
    for (let sweeps = 0; sweeps < 10; sweeps++) {
      service.clock.advance("61s");
      await service.postern.jobs.sweep();
    }
    expect(calls).toBe(5);
    const operation = await newest();
    expect(operation).toMatchObject({ kind: change.kind, status: "succeeded", error: `${change.after} failed 5 times` });
    expect((await readOperationSteps(service.main, operation)).filter((step) => step === `${change.after} failed`)).toHaveLength(5);
    expect((await service.main("GET", "/tenants/acme")).status).toBe(change.kind === "deprovision" ? 404 : 200);
  });

  test("delays the response by at most ten seconds, and is called again by the sweep", async () => {
    const late = hanging();
    let calls = 0;
    const service = await openWith({
      [change.after]: () => {
        calls++;
        return calls === 1 ? late.hook() : undefined;
      },
    });
    await prepare(service, change);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const made = change.make(service.main);
    await late.called;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await made).status).toBeLessThan(300);
    vi.useRealTimers();
    service.clock.advance("61s");
    await service.postern.jobs.sweep();
    const [operation] = await operationsOf(service.main, "acme");
    expect(operation).toMatchObject({ kind: change.kind, status: "succeeded" });
    expect(operation).not.toHaveProperty("error");
    expect(calls).toBe(2);
  });
});
