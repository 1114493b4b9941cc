import type { DataAdapter, Row } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPostgres, type OwnDatabase } from "../../packages/kysely/test/servers.ts";
import { expectError, list, managerOf, jsonBody, stringMember, type Manager } from "../support/api.ts";
import { allRows, createRecordingLogger, operationsOf, readOperationSteps, childTenantToken } from "../support/child-tenants.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { aroundWrites } from "./support/around-writes.ts";

/** Creates and deletes tenants on PostgreSQL from two processes with their own connections. */

interface Process extends TestPostern {
  readonly main: Manager;
  /** Every delete statement of the process so far, with its collection and its number of rows. */
  readonly deletes: { readonly name: string; readonly rows: number }[];
  /** Makes the n-th write from now and all later writes fail. */
  failFrom(write: number): void;
}

const userCount = 2000;
let database: OwnDatabase;
const opened: DataAdapter[] = [];
let first: Process;
let second: Process;

beforeAll(async () => {
  database = await ownPostgres("tenants");
  first = await openProcess();
  second = await openProcess(first);
});
afterAll(async () => {
  for (const data of opened) await data.close?.();
  await database.drop();
});

async function openProcess(clockOwner?: Process): Promise<Process> {
  const inner = await openDatabase(database.url, { connections: 8 });
  opened.push(inner);
  await inner.migrate();
  const deletes: { readonly name: string; readonly rows: number }[] = [];
  let remainingWrites = Infinity;
  const data = aroundWrites(inner, async (name, run) => {
    if (name !== "logs.insert" && --remainingWrites < 0) throw new Error("the process crashed");
    const result = await run();
    if (name.endsWith(".delete")) deletes.push({ name, rows: Number(result) });
    return result;
  });
  const service = await createTestPostern({
    data,
    logger: createRecordingLogger(),
    ...(clockOwner && { testing: { clock: clockOwner.clock } }),
  });
  return { ...service, main: await managerOf(service), deletes, failFrom: (write) => void (remainingWrites = write - 1) };
}

const acme = { id: "acme", name: "Acme" };

/** Gives the tenant 2,000 users with passwords, all members of one organization. */
async function populate(): Promise<void> {
  const token = await childTenantToken(first, "acme");
  const send = async (path: string, body: unknown) => jsonBody(await first.call("POST", path, { token, body }), 201);
  const organization = stringMember(await send("/api/v2/organizations", { name: "everyone" }), "id");
  const newUser = { connection: "Username-Password-Authentication", email: "p@example.test", password: "correct horse battery" };
  const userId = stringMember(await send("/api/v2/users", newUser), "user_id");
  const { users, passwords, organization_members: members } = first.data.collections;
  const [user] = await users.find({ where: { tenant_id: "acme", user_id: userId }, limit: 1 });
  const [password] = await passwords.find({ where: { tenant_id: "acme", id: user?.password_id ?? "" }, limit: 1 });
  if (user === undefined || password === undefined) throw new Error("no user to copy");
  for (let i = 0; i < userCount; i += 100) {
    const numbers = Array.from({ length: 100 }, (_, k) => i + k);
    const copies: Row<"users">[] = numbers.map((n) => ({
      ...user,
      user_id: `auth0|${n}`,
      email: `p${n}@example.test`,
      email_key: `p${n}@example.test`,
      password_id: `pw_${n}`,
    }));
    await passwords.insert(numbers.map((n) => ({ ...password, id: `pw_${n}`, tenant_id: "acme", user_id: `auth0|${n}` })));
    await users.insert(copies.map((copy) => ({ ...copy, tenant_id: "acme" })));
    await members.insert(numbers.map((n) => ({ tenant_id: "acme", organization_id: organization, user_id: `auth0|${n}`, created_at: 0 })));
  }
}

test("32 parallel creations of one id by two processes create one tenant with one organization", async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? first : second).main("POST", "/tenants", acme)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, "conflict", "tenant with this id");
  const { tenants, organizations, connections } = first.data.collections;
  expect(await tenants.count({ id: "acme" })).toBe(1);
  expect(await organizations.count({ tenant_id: "main", name: "acme" })).toBe(1);
  expect(await connections.count({ tenant_id: "acme" })).toBe(1);
  expect(await operationsOf(second.main, "acme")).toMatchObject([{ kind: "provision", status: "succeeded" }]);
  jsonBody(await first.main("DELETE", "/tenants/acme"));
});

test("the deletion of a tenant with 2,000 users runs in bounded steps, and another process completes it after a crash", async () => {
  first.clock.advance("10s");
  const before = await allRows(first.data);
  await first.main.create("/tenants", acme);
  await populate();
  first.deletes.length = 0;
  first.failFrom(70);
  expect(await first.main("DELETE", "/tenants/acme")).toMatchObject({ status: 500 });
  // The deletion is incomplete, but the tenant already counts as deleted.
  const { users, tenants } = second.data.collections;
  expect(await tenants.count({ id: "acme" })).toBe(1);
  const remainingUsers = await users.count({ tenant_id: "acme" });
  const memberships = await second.data.collections.organization_members.count({ tenant_id: "acme" });
  expect(remainingUsers + memberships).toBeGreaterThan(0);
  second.clock.advance("61s");
  expectError(await second.main("GET", "/tenants/acme"), 404, "not_found");
  await second.postern.jobs.sweep();
  first.failFrom(Infinity);

  expect(await allRows(second.data)).toEqual(before);
  const [operation] = await operationsOf(second.main, "acme");
  expect(operation).toMatchObject({ kind: "deprovision", status: "succeeded" });
  const deletes = [...first.deletes, ...second.deletes];
  expect(deletes.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(3 * userCount);
  expect(Math.max(...deletes.map(({ rows }) => rows))).toBeLessThanOrEqual(50);
  expect((await readOperationSteps(second.main, operation)).filter((step) => step === "directory running")).toHaveLength(2);
  await second.main.create("/tenants", acme);
});

test("an operation shows the progress of the deletion of a large tenant", async () => {
  await populate();
  jsonBody(await second.main("DELETE", "/tenants/acme"));
  const [operation] = await operationsOf(second.main, "acme");
  const events = list(await second.main("GET", `/operations/${stringMember(operation ?? {}, "id")}`), "events");
  const progress = events.filter(({ name, detail }) => name === "records" && detail !== undefined);
  expect(progress).toMatchObject([{ status: "running", detail: { removed: expect.any(Number), collection: expect.any(String) } }]);
});
