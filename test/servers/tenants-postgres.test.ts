import type { DataAdapter, Row } from "@postern/core/adapter";
import { openDatabase } from "@postern/kysely/url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ownPostgres, type OwnDatabase } from "../../packages/kysely/test/servers.ts";
import { expectError, list, managerOf, object, text, type Manager } from "../support/api.ts";
import { allRows, createRecordingLogger, operationsOf, stepsOf, childTenantToken } from "../support/children.ts";
import { createTestPostern, type TestPostern } from "../support/postern.ts";
import { aroundWrites } from "./support/around-writes.ts";

/** The life of a tenant on PostgreSQL, with two processes that have connections of their own. */

interface Process extends TestPostern {
  readonly main: Manager;
  /** Every delete of the process so far, as `collection rows`. */
  readonly deletes: { readonly name: string; readonly rows: number }[];
  /** Loses every write from the n-th on, counted from now. */
  dieAt(write: number): void;
}

const people = 2000;
let database: OwnDatabase;
const opened: DataAdapter[] = [];
let one: Process;
let two: Process;

beforeAll(async () => {
  database = await ownPostgres("tenants");
  one = await openProcess();
  two = await openProcess(one);
});
afterAll(async () => {
  for (const data of opened) await data.close?.();
  await database.drop();
});

async function openProcess(beside?: Process): Promise<Process> {
  const inner = await openDatabase(database.url, { connections: 8 });
  opened.push(inner);
  await inner.migrate();
  const deletes: { readonly name: string; readonly rows: number }[] = [];
  let left = Infinity;
  const data = aroundWrites(inner, async (name, run) => {
    if (name !== "logs.insert" && --left < 0) throw new Error("the process died");
    const result = await run();
    if (name.endsWith(".delete")) deletes.push({ name, rows: Number(result) });
    return result;
  });
  const service = await createTestPostern({ data, logger: createRecordingLogger(), ...(beside && { testing: { clock: beside.clock } }) });
  return { ...service, main: await managerOf(service), deletes, dieAt: (write) => void (left = write - 1) };
}

const acme = { id: "acme", name: "Acme" };

/** Gives the tenant 2,000 people with passwords, all members of one organization. */
async function populate(): Promise<void> {
  const token = await childTenantToken(one, "acme");
  const send = async (path: string, body: unknown) => object(await one.call("POST", path, { token, body }), 201);
  const organization = text(await send("/api/v2/organizations", { name: "everybody" }), "id");
  const person = { connection: "Username-Password-Authentication", email: "p@example.test", password: "correct horse battery" };
  const userId = text(await send("/api/v2/users", person), "user_id");
  const { users, passwords, organization_members: members } = one.data.collections;
  const [user] = await users.find({ where: { tenant_id: "acme", user_id: userId }, limit: 1 });
  const [password] = await passwords.find({ where: { tenant_id: "acme", id: user?.password_id ?? "" }, limit: 1 });
  if (user === undefined || password === undefined) throw new Error("nobody to copy");
  for (let i = 0; i < people; i += 100) {
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

test("thirty-two creations of one id at once, by two processes, make one tenant with one organization", async () => {
  const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? one : two).main("POST", "/tenants", acme)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const answer of answers) if (answer.status !== 201) expectError(answer, 409, "conflict", "tenant with this id");
  const { tenants, organizations, connections } = one.data.collections;
  expect(await tenants.count({ id: "acme" })).toBe(1);
  expect(await organizations.count({ tenant_id: "main", name: "acme" })).toBe(1);
  expect(await connections.count({ tenant_id: "acme" })).toBe(1);
  expect(await operationsOf(two.main, "acme")).toMatchObject([{ kind: "provision", status: "succeeded" }]);
  object(await one.main("DELETE", "/tenants/acme"));
});

test("a tenant with 2,000 people is deleted in bounded steps that are in the history, gone on with by another process where the first one dies", async () => {
  one.clock.advance("10s");
  const before = await allRows(one.data);
  await one.main.create("/tenants", acme);
  await populate();
  one.deletes.length = 0;
  one.dieAt(70);
  expect(await one.main("DELETE", "/tenants/acme")).toMatchObject({ status: 500 });
  // Dead in the middle, and absent all the same.
  const { users, tenants } = two.data.collections;
  expect(await tenants.count({ id: "acme" })).toBe(1);
  const left = await users.count({ tenant_id: "acme" });
  const memberships = await two.data.collections.organization_members.count({ tenant_id: "acme" });
  expect(left + memberships).toBeGreaterThan(0);
  two.clock.advance("61s");
  expectError(await two.main("GET", "/tenants/acme"), 404, "not_found");
  await two.postern.jobs.sweep();
  one.dieAt(Infinity);

  expect(await allRows(two.data)).toEqual(before);
  const [operation] = await operationsOf(two.main, "acme");
  expect(operation).toMatchObject({ kind: "deprovision", status: "succeeded" });
  const deletes = [...one.deletes, ...two.deletes];
  expect(deletes.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(3 * people);
  expect(Math.max(...deletes.map(({ rows }) => rows))).toBeLessThanOrEqual(50);
  expect((await stepsOf(two.main, operation)).filter((step) => step === "directory running")).toHaveLength(2);
  await two.main.create("/tenants", acme);
});

test("how far the deletion of a large tenant is, its operation says", async () => {
  await populate();
  object(await two.main("DELETE", "/tenants/acme"));
  const [operation] = await operationsOf(two.main, "acme");
  const events = list(await two.main("GET", `/operations/${text(operation ?? {}, "id")}`), "events");
  const progress = events.filter(({ name, detail }) => name === "records" && detail !== undefined);
  expect(progress).toMatchObject([{ status: "running", detail: { removed: expect.any(Number), collection: expect.any(String) } }]);
});
