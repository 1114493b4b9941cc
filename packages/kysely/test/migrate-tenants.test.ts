import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { SqlAdapter } from "@postern/kysely";
import { migrateTenants, createSqliteFiles, type TenantProgress } from "@postern/kysely/tenants";
import { sqlite } from "../src/dialects/sqlite.ts";
import { sqliteInMemory } from "./databases.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-kysely-migrate-tenants-"));
afterAll(() => rmSync(folder, { recursive: true }));

const migrations = Object.keys(sqlite.migrations);
const before = { ready_at: 1, deleting_at: null };

async function withTenants(tenants: { readonly [id: string]: object }): Promise<SqlAdapter> {
  const data = sqliteInMemory();
  await data.migrate();
  const common = { settings: {}, branding: {}, attack_protection: {}, multifactor: {}, organization_id: null, member_access: {} };
  const rows = Object.entries(tenants).map(([id, rest]) => ({
    id,
    name: id,
    friendly_name: id,
    ...common,
    lease_until: 0,
    counted_until: 0,
    revision: 0,
    created_at: 1,
    updated_at: 1,
    ...before,
    ...rest,
  }));
  for (let i = 0; i < rows.length; i += 100) await data.collections.tenants.insert(rows.slice(i, i + 100));
  return data;
}

/** Creates database files without tables, which stand for databases from an older version. */
function oldFiles(name: string, tenantIds: readonly string[]) {
  const place = join(folder, name);
  mkdirSync(place);
  for (const id of tenantIds) writeFileSync(join(place, `tenant-${id}.db`), "");
  return { place, files: createSqliteFiles({ folder: place }) };
}

test("migrates every tenant's database once and reports progress for each", async () => {
  const ids = Array.from({ length: 230 }, (_, i) => `t${i}`);
  const own = ids.filter((_, i) => i % 25 === 0);
  const data = await withTenants(Object.fromEntries([...ids, "main"].map((id) => [id, {}])));
  const { files } = oldFiles("all", own);
  const seen: TenantProgress[] = [];
  // The data of the control plane and of all other tenants is in the main database.
  const open = (id: string) => (id === "main" || own.includes(id) ? files.open(id) : undefined);
  const run = () => migrateTenants({ data, open, controlPlaneId: "main", onProgress: (progress) => void seen.push(progress) });
  expect(await run()).toEqual({ migrated: 10, upToDate: 221, failed: [] });
  expect(seen.map(({ tenantId }) => tenantId).toSorted()).toEqual([...ids, "main"].toSorted());
  expect(seen.map(({ done }) => done)).toEqual(Array.from({ length: 231 }, (_, i) => i + 1));
  expect(seen.every(({ total }) => total === 231)).toBe(true);
  expect(
    seen
      .filter(({ applied }) => applied.length > 0)
      .map(({ tenantId }) => tenantId)
      .toSorted(),
  ).toEqual(own.toSorted());
  expect(seen.find(({ tenantId }) => tenantId === "t0")?.applied).toEqual(migrations);
  expect(await run()).toEqual({ migrated: 0, upToDate: 231, failed: [] });
});

test("reports a database that fails with its error and migrates the others", async () => {
  const data = await withTenants({ a: {}, broken: {}, missing: {}, z: {}, shared: {} });
  const { place, files } = oldFiles("broken", ["a", "broken", "z"]);
  writeFileSync(
    join(place, "tenant-broken.db"),
    "this is no database, and long enough to be seen as something else than an empty one".repeat(20),
  );
  const open = (id: string) => (id === "shared" ? undefined : files.open(id));
  const seen: TenantProgress[] = [];
  const result = await migrateTenants({ data, open, atATime: 1, onProgress: (progress) => void seen.push(progress) });
  expect(result).toMatchObject({ migrated: 2, upToDate: 1 });
  expect(result.failed.map(({ tenantId, error }) => [tenantId, String(error)])).toEqual([
    ["broken", expect.stringContaining("not a database")],
    ["missing", expect.stringContaining("unable to open database file")],
  ]);
  expect(seen.filter(({ error }) => error !== undefined).map(({ tenantId }) => tenantId)).toEqual(["broken", "missing"]);
  const z = await files.open("z");
  await z.check();
  await z.close();
});

test("skips tenants that are being created or deleted", async () => {
  const data = await withTenants({ a: {}, made: { ready_at: null }, removed: { deleting_at: 1 } });
  const { files } = oldFiles("passing", ["a"]);
  expect(await migrateTenants({ data, open: (id) => files.open(id) })).toEqual({ migrated: 1, upToDate: 0, failed: [] });
});

test("opens at most the configured number of databases at a time and closes each", async () => {
  const ids = Array.from({ length: 8 }, (_, i) => `t${i}`);
  const data = await withTenants(Object.fromEntries(ids.map((id) => [id, {}])));
  const { files } = oldFiles("bounded", ids);
  let [open, peak, closed] = [0, 0, 0];
  const counted = async (id: string): Promise<SqlAdapter> => {
    const adapter = await files.open(id);
    peak = Math.max(peak, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    return {
      ...adapter,
      async close() {
        open--;
        closed++;
        await adapter.close();
      },
    };
  };
  await migrateTenants({ data, open: counted, atATime: 3 });
  expect({ open, peak, closed }).toEqual({ open: 0, peak: 3, closed: 8 });
});

test("rejects if the list of tenants cannot be read", async () => {
  const data = await withTenants({});
  await data.close();
  await expect(migrateTenants({ data, open: () => undefined })).rejects.toThrow();
});
