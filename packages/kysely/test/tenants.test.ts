import { PGlite } from "@electric-sql/pglite";
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createPGliteAdapter, type SqlAdapter } from "@postern/kysely";
import { createPGliteSchemas, createSqliteFiles, type TenantDatabases } from "@postern/kysely/tenants";
import { schemaOf } from "../src/tenants/schemas.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-kysely-tenants-"));
afterAll(() => rmSync(folder, { recursive: true }));

const longest = "x".repeat(63);
const assertion = { tenant_id: "t", jti_hash: "h", expires_at: 1 };
const has = async ({ collections }: SqlAdapter): Promise<boolean> => (await collections.used_assertions.count({ tenant_id: "t" })) > 0;

const kinds: readonly (readonly [string, () => TenantDatabases])[] = [
  ["files of SQLite", () => createSqliteFiles({ folder: join(folder, "new/files") })],
  ["schemas of PGlite", () => createPGliteSchemas({ instance: new PGlite() })],
];

describe.each(kinds)("%s", (_, make) => {
  const databases = make();

  test("creates a tenant's database with its tables once, separate from other tenants", async () => {
    for (const id of ["a", "b", "a-b_c", longest, `${longest.slice(1)}y`]) {
      expect((await databases.provision(id)).applied).not.toEqual([]);
      expect((await databases.provision(id)).applied).toEqual([]);
      const own = await databases.open(id);
      await own.check();
      expect(await has(own), id).toBe(false);
      await own.collections.used_assertions.insert([assertion]);
      await own.close();
    }
  });

  test("does not create a database when it opens a tenant that has none", async () => {
    await expect(databases.open("never")).rejects.toThrow();
    await expect(databases.open("never")).rejects.toThrow();
  });

  test("creates an empty database again after it was deleted", async () => {
    await databases.provision("again");
    const open = await databases.open("again");
    await open.collections.used_assertions.insert([assertion]);
    await open.close();
    await databases.drop("again");
    await expect(databases.open("again")).rejects.toThrow();
    await databases.drop("again");
    await databases.provision("again");
    const recreated = await databases.open("again");
    expect(await has(recreated)).toBe(false);
    await recreated.close();
    const other = await databases.open("a");
    expect(await has(other)).toBe(true);
    await other.close();
  });

  test.each(["", "A", "../a", "a/b", "a.b", "a$b", 'a"b', "-a", "ä", "a\0b", `${longest}x`])("rejects %j as a tenant id", async (id) => {
    for (const method of ["open", "provision", "drop"] as const) {
      await expect(async () => databases[method](id)).rejects.toThrow("the tenant id is invalid");
    }
  });
});

test("names files after their tenants and creates them in the folder", async () => {
  const place = join(folder, "named");
  const databases = createSqliteFiles({ folder: place });
  await databases.provision("postern");
  await databases.provision("con");
  expect(readdirSync(place).toSorted()).toEqual(["tenant-con.db", "tenant-postern.db"]);
  await databases.drop("con");
  expect(readdirSync(place)).toEqual(["tenant-postern.db"]);
});

test("does not replay the leftover log of an interrupted deletion into a new file", async () => {
  const place = join(folder, "interrupted");
  const databases = createSqliteFiles({ folder: place });
  const [file, kept] = [join(place, "tenant-a.db"), join(place, "kept")];
  await databases.provision("a");
  const open = await databases.open("a");
  await open.collections.used_assertions.insert([assertion]);
  // The row is only in the write-ahead log. A process that ends after the first removal leaves the log behind.
  copyFileSync(`${file}-wal`, kept);
  await open.close();
  rmSync(file);
  copyFileSync(kept, `${file}-wal`);
  await databases.provision("a");
  const recreated = await databases.open("a");
  expect(await has(recreated)).toBe(false);
  await recreated.close();
});

test("gives long tenant ids unique schema names within the maximum length", () => {
  const ids = [longest, `${longest.slice(1)}y`, "x".repeat(57), `${"x".repeat(56)}y`];
  const names = ids.map(schemaOf);
  expect(new Set(names).size).toBe(ids.length);
  for (const name of names) {
    expect(name).toHaveLength(63);
    expect(name).toContain("$");
  }
  expect(schemaOf("x".repeat(56))).toBe(`tenant_${"x".repeat(56)}`);
});

test("does not mistake tables of the host or in other schemas for a tenant's tables", async () => {
  const instance = new PGlite();
  await createPGliteSchemas({ instance }).provision("a");
  const first = createPGliteAdapter({ instance });
  await expect(first.check()).rejects.toThrow("run migrate()");
  // The tenant's schema also contains a migration table.
  expect((await first.migrate()).applied).not.toEqual([]);
  await first.check();
  expect((await instance.query("show search_path")).rows).toEqual([{ search_path: "public" }]);
});
