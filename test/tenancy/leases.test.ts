import { expect, test } from "vitest";
import { object } from "../support/api.ts";
import { allRows, operationsOf, childTenantToken } from "../support/children.ts";
import { openTwoProcesses, slowHost } from "../support/two-processes.ts";

const acme = { id: "acme", name: "Acme" };

test("whoever loses the lease while a tenant is made stops, and touches nothing of the one that is made meanwhile under its id", async () => {
  const host = slowHost();
  const [one, two] = await openTwoProcesses({ databaseIsolation: host.isolation });
  const made = one.main("POST", "/tenants", acme);
  await host.asked;
  // The first process stands still for longer than its lease lasts.
  one.clock.advance("61s");
  await two.postern.jobs.sweep();
  await two.main.create("/tenants", { ...acme, name: "Acme the second" });
  await childTenantToken(two, "acme");
  const before = await allRows(one.data);
  host.release();
  expect(await made).toMatchObject({ status: 500 });
  expect(await allRows(one.data)).toEqual(before);
  expect(object(await two.main("GET", "/tenants/acme"))).toMatchObject({ tenant: { name: "Acme the second" } });
  expect(await operationsOf(two.main, "acme")).toMatchObject([{ status: "succeeded" }, { status: "failed" }]);
});

test("a process that is slow to delete and loses the lease removes nothing of the tenant that is made meanwhile under its id", async () => {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let slow = true;
  const [one, two] = await openTwoProcesses({
    databaseIsolation: {
      getAdapters: () => undefined,
      onDeprovision: async () => {
        if (!slow) return;
        slow = false;
        asked.resolve();
        await released.promise;
      },
    },
  });
  await one.main.create("/tenants", acme);
  const deleted = one.main("DELETE", "/tenants/acme");
  await asked.promise;
  one.clock.advance("61s");
  await two.postern.jobs.sweep();
  await two.main.create("/tenants", acme);
  await childTenantToken(two, "acme");
  const before = await allRows(one.data);
  released.resolve();
  await deleted;
  expect(await allRows(one.data)).toEqual(before);
  object(await one.main("GET", "/tenants/acme"));
});
