import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testTenantDatabases } from "../../test/support/tenant-databases.ts";
import { sqliteDatabases } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-tenant-databases-"));
afterAll(() => rmSync(folder, { recursive: true }));

testTenantDatabases(
  () => sqliteDatabases(folder),
  async (_, tenantId) => writeFileSync(join(folder, `tenants/tenant-${tenantId}.db`), "no database ".repeat(100)),
);

test("a tenant's data is only in the file of this tenant", () => {
  const files = [folder, join(folder, "tenants")].flatMap((place) =>
    readdirSync(place, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(place, entry.name)] : [])),
  );
  const filesWith = (text: string) => files.filter((file) => readFileSync(file).includes(text)).map((file) => file.slice(folder.length));
  expect(files.length).toBeGreaterThan(3);
  expect(filesWith("ann@acme.test").map((file) => file.replace(/-(wal|shm)$/, ""))).toEqual(
    expect.arrayContaining(["/tenants/tenant-acme.db"]),
  );
  for (const file of filesWith("ann@acme.test")) expect(file).toMatch(/^\/tenants\/tenant-acme\.db/);
  expect(filesWith("old@again.test")).toEqual([]);
});
