import { expect, test } from "vitest";
import { jsonBody } from "../support/api.ts";
import { allRows, operationsOf, childTenantToken } from "../support/child-tenants.ts";
import { openTwoProcesses, slowHost } from "../support/two-processes.ts";

const acme = { id: "acme", name: "Acme" };

test("a process that loses its lease during a creation stops, and does not change the new tenant with the same id", async () => {
  const host = slowHost();
  const [one, two] = await openTwoProcesses({ databaseIsolation: host.isolation });
  const made = one.main("POST", "/tenants", acme);
  await host.called;
  // The first process pauses for longer than its lease.
  one.clock.advance("61s");
  await two.postern.jobs.sweep();
  await two.main.create("/tenants", { ...acme, name: "Acme the second" });
  await childTenantToken(two, "acme");
  const before = await allRows(one.data);
  host.release();
  expect(await made).toMatchObject({ status: 500 });
  expect(await allRows(one.data)).toEqual(before);
  expect(jsonBody(await two.main("GET", "/tenants/acme"))).toMatchObject({ tenant: { name: "Acme the second" } });
  expect(await operationsOf(two.main, "acme")).toMatchObject([{ status: "succeeded" }, { status: "failed" }]);
});

test("a slow process that loses its lease during a deletion deletes no rows of the new tenant with the same id", async () => {
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let slow = true;
  const [one, two] = await openTwoProcesses({
    databaseIsolation: {
      getAdapters: () => undefined,
      onDeprovision: async () => {
        if (!slow) return;
        slow = false;
        requested.resolve();
        await released.promise;
      },
    },
  });
  await one.main.create("/tenants", acme);
  const deleted = one.main("DELETE", "/tenants/acme");
  await requested.promise;
  one.clock.advance("61s");
  await two.postern.jobs.sweep();
  await two.main.create("/tenants", acme);
  await childTenantToken(two, "acme");
  const before = await allRows(one.data);
  released.resolve();
  await deleted;
  expect(await allRows(one.data)).toEqual(before);
  jsonBody(await one.main("GET", "/tenants/acme"));
});
