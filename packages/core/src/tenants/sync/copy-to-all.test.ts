import { expect, test } from "vitest";
import { addRole, copyingService } from "../../../test/copying.ts";
import { syncAll, type SyncProgress } from "./copy-to-all.ts";

const ids = Array.from({ length: 60 }, (_, i) => `t${String(i).padStart(2, "0")}`);

test("syncAll copies to each of 60 tenants once, at most ten at a time, and reports progress", async () => {
  const service = await copyingService(ids);
  await addRole(service.scope("main"), "clerk", "Clerk");
  const under = new Map<unknown, number>();
  const reached: string[] = [];
  let most = 0;
  service.around = async ({ name, tenantId }, run) => {
    under.set(tenantId, (under.get(tenantId) ?? 0) + 1);
    most = Math.max(most, under.size);
    if (name === "roles.insert") reached.push(String(tenantId));
    await new Promise((resolve) => setImmediate(resolve));
    await run();
    under.delete(tenantId);
  };
  let longest = 0;
  service.listed = (count) => void (longest = Math.max(longest, count));
  const reports: SyncProgress[] = [];
  const done = await syncAll(service, { position: "", report: async (progress) => void reports.push(progress) });

  expect(reached.toSorted()).toEqual(ids);
  expect(done).toEqual({ position: "t59", done: 60, skipped: 0, failed: 0 });
  expect(reports.at(-1)).toEqual(done);
  expect(longest).toBeLessThanOrEqual(10);
  expect(most).toBeLessThanOrEqual(10);
  const steps = reports.map((progress, i) => progress.done - (reports[i - 1]?.done ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(10);
});

test("syncAll continues after the last reported tenant if it was interrupted", async () => {
  const service = await copyingService(ids);
  await addRole(service.scope("main"), "clerk", "Clerk");
  let position = "";
  const stopped = syncAll(service, {
    position,
    report: async (progress) => {
      ({ position } = progress);
      if (progress.done >= 25) throw new Error("the lease is lost");
    },
  });
  await expect(stopped).rejects.toThrow("the lease is lost");
  const left = ids.slice(ids.indexOf(position) + 1);
  expect(left.length).toBeGreaterThan(20);
  expect(await service.collections.roles.count({ tenant_id: left[0] ?? "", name: "Clerk" })).toBe(0);

  const reached = new Set<string>();
  service.around = async ({ tenantId }, run) => {
    reached.add(String(tenantId));
    await run();
  };
  expect(await syncAll(service, { position, report: async () => {} })).toEqual({
    position: "t59",
    done: left.length,
    skipped: 0,
    failed: 0,
  });
  expect([...reached].toSorted()).toEqual(left);
});

test("syncAll counts failed tenants and tenants with conflicting roles, and skips tenants that are being created or deleted", async () => {
  const service = await copyingService(["a", "b", "c", "d", "e"]);
  await addRole(service.scope("main"), "clerk", "Clerk");
  await addRole(service.scope("b"), "own", "Clerk");
  await service.collections.tenants.update({ id: "d" }, { set: { ready_at: null } });
  await service.collections.tenants.update({ id: "e" }, { set: { deleting_at: 1 } });
  service.around = async ({ tenantId }, run) => {
    if (tenantId === "c") throw new Error("the disk is full");
    if (tenantId === "d" || tenantId === "e") throw new Error("not to be touched");
    await run();
  };
  expect(await syncAll(service, { position: "", report: async () => {} })).toEqual({ position: "main", done: 2, skipped: 1, failed: 1 });
  const leftOut = { level: "warn", event: "copies_left_out", tenant_id: "b", left_out: [{ kind: "role", name: "Clerk" }] };
  expect(service.logged).toHaveLength(2);
  expect(service.logged).toContainEqual(leftOut);
  expect(service.logged).toContainEqual(expect.objectContaining({ level: "error", event: "sync_failed", tenant_id: "c" }));
});
