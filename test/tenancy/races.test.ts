import { describe, expect, test } from "vitest";
import { expectError, jsonBody, stringMember } from "../support/api.ts";
import { allRows, operationsOf, readOperationSteps } from "../support/child-tenants.ts";
import { openTwoProcesses, slowHost } from "../support/two-processes.ts";

const acme = { id: "acme", name: "Acme" };
const statuses = (responses: readonly { readonly status: number }[]) => responses.map(({ status }) => status).toSorted((a, b) => a - b);

describe("thirty-two parallel requests in two processes", () => {
  test("that create a tenant with the same id create one tenant with one organization, and all but one are rejected with 409", async () => {
    const created: string[] = [];
    const [one, two] = await openTwoProcesses({ hooks: { onTenantCreated: ({ id }) => void created.push(id) } });
    const responses = await Promise.all(Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? one : two).main("POST", "/tenants", acme)));
    expect(statuses(responses)).toEqual([201, ...Array.from({ length: 31 }, () => 409)]);
    for (const response of responses) if (response.status !== 201) expectError(response, 409, "conflict", "tenant with this id");
    const { tenants, organizations, connections, resource_servers: apis } = one.data.collections;
    expect(await tenants.count({ id: "acme" })).toBe(1);
    expect(await organizations.count({ tenant_id: "main", name: "acme" })).toBe(1);
    expect(await connections.count({ tenant_id: "acme" })).toBe(1);
    expect(await apis.count({ tenant_id: "acme", identifier: "api/v2/" })).toBe(1);
    expect(await operationsOf(one.main, "acme")).toMatchObject([{ kind: "provision", status: "succeeded" }]);
    expect(created).toEqual(["acme"]);
  });

  test("that delete the same tenant delete it once, and all but one are rejected with 404 or 409", async () => {
    const deleted: string[] = [];
    const [one, two] = await openTwoProcesses({ hooks: { onTenantDeleted: ({ id }) => void deleted.push(id) } });
    const before = await allRows(one.data);
    await one.main.create("/tenants", acme);
    const responses = await Promise.all(Array.from({ length: 32 }, (_, i) => (i % 2 === 0 ? one : two).main("DELETE", "/tenants/acme")));
    expect(statuses(responses)[0]).toBe(200);
    for (const status of statuses(responses).slice(1)) expect([404, 409]).toContain(status);
    expect(await allRows(one.data)).toEqual(before);
    expect((await operationsOf(one.main, "acme")).filter(({ status }) => status === "succeeded")).toHaveLength(2);
    expect(deleted).toEqual(["acme"]);
  });

  test("that create and delete a tenant with the same id leave one complete tenant or none", async () => {
    const [one, two] = await openTwoProcesses();
    const before = await allRows(one.data);
    for (let round = 0; round < 4; round++) {
      const responses = await Promise.all(
        Array.from({ length: 32 }, (_, i) => {
          const { main } = i % 2 === 0 ? one : two;
          return i % 4 < 2 ? main("POST", "/tenants", acme) : main("DELETE", "/tenants/acme");
        }),
      );
      for (const { status, body } of responses) expect([200, 201, 404, 409], JSON.stringify(body)).toContain(status);
      one.clock.advance("6s");
      const there = (await one.main("GET", "/tenants/acme")).status === 200;
      if (there) {
        jsonBody(await one.main("GET", "/api/v2/organizations/name/acme"));
        jsonBody(await one.main("DELETE", "/tenants/acme"));
      }
      expect(await allRows(one.data)).toEqual(before);
    }
  });

  test("that update the same tenant succeed or are rejected with 409, and leave no operation unfinished", async () => {
    const [one, two] = await openTwoProcesses({ hooks: { onTenantUpdated: () => {} } });
    await one.main.create("/tenants", acme);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? one : two).main("PATCH", "/tenants/acme", { name: `Acme ${i}` })),
    );
    for (const { status } of responses) expect([200, 409]).toContain(status);
    const updates = (await operationsOf(one.main, "acme")).filter(({ kind }) => kind === "update");
    expect(statuses(responses).filter((status) => status === 200)).toHaveLength(
      updates.filter(({ status }) => status === "succeeded").length,
    );
    expect(updates.filter(({ status }) => status === "running")).toEqual([]);
  });
});

test("two processes that run the same operation do its work once", async () => {
  const provisioned: string[] = [];
  const [one, two] = await openTwoProcesses({
    operationExecutor: { submit: () => {} },
    databaseIsolation: {
      getAdapters: () => undefined,
      onProvision: async (id) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        provisioned.push(id);
      },
    },
  });
  await one.main.create("/tenants", acme);
  provisioned.length = 0;
  const operation = jsonBody(await one.main("POST", "/tenants/acme/operations", { kind: "upgrade" }), 201);
  expect(operation).toMatchObject({ status: "pending" });
  const id = stringMember(operation, "id");
  await Promise.all([one, two, one, two].map(({ postern }) => postern.jobs.runOperation(id)));
  await Promise.all([one, two].map(({ postern }) => postern.jobs.runOperation(id)));
  expect(provisioned).toEqual(["acme"]);
  const [newest] = await operationsOf(one.main, "acme");
  expect(newest).toMatchObject({ kind: "upgrade", status: "succeeded" });
  expect((await readOperationSteps(one.main, newest)).filter((step) => step === "provision running")).toHaveLength(1);
});

test("a deletion is rejected while an upgrade is running, and an upgrade of a deleted tenant fails", async () => {
  const host = slowHost();
  host.fast();
  const [one, two] = await openTwoProcesses({ databaseIsolation: host.isolation, operationExecutor: { submit: () => {} } });
  await one.main.create("/tenants", acme);
  const begin = async () => stringMember(jsonBody(await one.main("POST", "/tenants/acme/operations", { kind: "upgrade" }), 201), "id");
  const [first, second] = [await begin(), await begin()];
  host.slow();
  const running = one.postern.jobs.runOperation(first);
  await host.called;
  expectError(await two.main("DELETE", "/tenants/acme"), 409, "conflict", "in progress");
  // Another operation on the tenant waits as well.
  await two.postern.jobs.runOperation(second);
  expect(jsonBody(await one.main("GET", `/operations/${second}`))).toMatchObject({ status: "running", events: [] });
  host.release();
  await running;
  expect(jsonBody(await one.main("GET", `/operations/${first}`))).toMatchObject({ status: "succeeded" });
  jsonBody(await two.main("DELETE", "/tenants/acme"));
  one.clock.advance("61s");
  await one.postern.jobs.sweep();
  expect(jsonBody(await one.main("GET", `/operations/${second}`))).toMatchObject({ status: "failed", error: "the tenant was deleted" });
});
