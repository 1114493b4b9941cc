import type { DataAdapter } from "@postern/core/adapter";
import { createManualClock } from "@postern/core/testing";
import { createMemoryAdapter } from "@postern/memory";
import { beforeEach, expect, test } from "vitest";
import { managerOf, jsonBody, type Manager } from "../support/api.ts";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { allRows } from "../support/child-tenants.ts";
import { forEachWrite } from "../support/each-write.ts";
import { fakeHasher } from "../support/flow.ts";
import { createTestPostern, type ApiResponse, type TestPostern } from "../support/postern.ts";

/**
 * A process serves a deleted tenant from its cache for up to five seconds. The rows that it stores in that time are
 * deleted later. The rows of a new tenant with the same id are not.
 */

const clock = createManualClock(Date.UTC(2026, 0, 1));
const later = "126s";
let data: DataAdapter;
let service: TestPostern;
let second: TestPostern;
let main: Manager;

beforeEach(async () => {
  data = createMemoryAdapter({ strict: true });
  const options = { data, testing: { clock }, crypto: { hasher: fakeHasher } };
  service = await createTestPostern(options);
  second = await createTestPostern(options);
  main = await managerOf(service);
  await make();
});

async function make(): Promise<void> {
  await main.create("/tenants", { id: "acme", name: "Acme" });
  await seed();
}

async function seed(): Promise<void> {
  const settings = { name: "App", app_type: "spa" } as const;
  await service.postern.seed({ tenantId: "acme", clients: [{ clientId: "acme-app", settings }] });
}

const signUp = (process: TestPostern, email: string): Promise<ApiResponse> =>
  process.call("POST", "/dbconnections/signup", {
    headers: { "tenant-id": "acme" },
    body: { client_id: "acme-app", email, password: "correct horse battery", connection: "Username-Password-Authentication" },
  });

const usersOfAcme = (): Promise<readonly object[]> => data.collections.users.find({ where: { tenant_id: "acme" }, limit: 10 });
const passwordsOfAcme = (): Promise<readonly object[]> => data.collections.passwords.find({ where: { tenant_id: "acme" }, limit: 10 });
const markers = (): Promise<readonly object[]> => data.collections.directory.find({ where: { kind: "deleted" }, limit: 10 });
const rowsOfAcme = async (): Promise<readonly string[]> => (await allRows(data)).filter((row) => row.includes('"acme"'));

/** Deletes the tenant and signs a user up at the other process, whose cache still has the tenant. */
async function deleteAndSignUp(): Promise<void> {
  expect((await signUp(second, "early@acme.test")).status).toBe(200);
  jsonBody(await main("DELETE", "/tenants/acme"));
  expect((await signUp(second, "late@acme.test")).status).toBe(200);
  expect(await usersOfAcme()).toHaveLength(1);
}

test("users who sign up at a process whose cache still has the deleted tenant are deleted by a later sweep", async () => {
  await deleteAndSignUp();
  await service.postern.jobs.sweep();
  expect(await usersOfAcme(), "it is too early: the other process may store more").toHaveLength(1);
  clock.advance(later);
  expect(await service.postern.jobs.sweep()).toMatchObject({ finished: true });
  expect([await usersOfAcme(), await passwordsOfAcme(), await rowsOfAcme(), await markers()]).toEqual([[], [], [], []]);
  await make();
  expect((await signUp(service, "new@acme.test")).status).toBe(200);
});

test("a tenant that is created again at once starts without the rows that were stored in between, and keeps all its own rows", async () => {
  await deleteAndSignUp();
  await make();
  expect(await usersOfAcme()).toEqual([]);
  expect((await signUp(service, "new@acme.test")).status).toBe(200);
  const before = await rowsOfAcme();
  clock.advance(later);
  for (let i = 0; i < 3; i++) await service.postern.jobs.sweep();
  expect(await rowsOfAcme()).toEqual(before);
  expect((await signUp(second, "newer@acme.test")).status).toBe(200);
});

test("a tenant that is only seeded again keeps all its rows", async () => {
  await deleteAndSignUp();
  clock.advance("10s");
  await seed();
  expect((await signUp(service, "new@acme.test")).status).toBe(200);
  const before = await rowsOfAcme();
  clock.advance(later);
  for (let i = 0; i < 3; i++) await service.postern.jobs.sweep();
  expect(await rowsOfAcme()).toEqual(before);
});

test("a tenant that was deleted twice is cleared after the second deletion", async () => {
  await deleteAndSignUp();
  clock.advance("100s");
  await make();
  await deleteAndSignUp();
  clock.advance("30s");
  await service.postern.jobs.sweep();
  expect(await usersOfAcme()).toHaveLength(1);
  clock.advance(later);
  await service.postern.jobs.sweep();
  expect(await rowsOfAcme()).toEqual([]);
});

test("after a crash at any write of the second clearing, the next sweep completes it", async () => {
  const attempt = async (lost: number): Promise<number> => {
    clock.advance("1h");
    await deleteAndSignUp();
    clock.advance(later);
    let writes = 0;
    const crashing = countWrites(() => {
      if (++writes >= lost) throw new Error("lost");
    });
    const process = await createTestPostern({ data: crashing.data, testing: { clock }, logger: { log: () => {} } });
    writes = 0;
    crashing.begin();
    await process.postern.jobs.sweep().catch(() => {});
    const started = writes;
    for (let i = 0; i < 3; i++) {
      clock.advance("61s");
      await service.postern.jobs.sweep();
    }
    expect([await rowsOfAcme(), await markers()], `lost at write ${lost}`).toEqual([[], []]);
    await make();
    return started;
  };
  // The first sweep also counts the events of all earlier tests.
  await attempt(Infinity);
  expect(await forEachWrite(attempt)).toBeGreaterThan(3);
});

test("a sweep during a seed deletes no seeded rows, whichever write it precedes", async () => {
  const seeding = await forEachWrite(async (at) => {
    await deleteAndSignUp();
    clock.advance(later);
    let writes = 0;
    const crashing = countWrites(async () => {
      if (++writes === at) await second.postern.jobs.sweep();
    });
    const process = await createTestPostern({ data: crashing.data, testing: { clock }, crypto: { hasher: fakeHasher } });
    writes = 0;
    crashing.begin();
    const settings = { name: "App", app_type: "spa" } as const;
    const clients = [{ clientId: "acme-app", settings }];
    await process.postern.seed({ tenantId: "acme", clients });
    const started = writes;
    const before = await rowsOfAcme();
    clock.advance("6s");
    for (let i = 0; i < 2; i++) await second.postern.jobs.sweep();
    expect(await rowsOfAcme(), `met at write ${at}`).toEqual(before);
    expect((await signUp(service, `user-${at}@acme.test`)).status).toBe(200);
    return started;
  });
  expect(seeding).toBeGreaterThan(3);
});

/** Creates an adapter that calls a function before each write after `begin`. */
function countWrites(before: () => void | Promise<void>): { readonly data: DataAdapter; readonly begin: () => void } {
  let isOn = false;
  const watched = aroundWrites(data, async (_, run) => {
    if (isOn) await before();
    return run();
  });
  return { data: watched, begin: () => (isOn = true) };
}
