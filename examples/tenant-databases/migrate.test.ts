import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createService } from "./service.ts";
import { sqliteDatabases } from "./sqlite.ts";

// The command runs as a bundle, because Node.js cannot load SQL files or core's pages. The bundle is inside this
// folder, so that Node.js can resolve the database drivers.
const cache = fileURLToPath(new URL("node_modules/.cache", import.meta.url));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "migrate-"));
const data = join(folder, "data");
const fileOf = (tenantId: string): string => join(data, `tenants/tenant-${tenantId}.db`);
const tenantIds = Array.from({ length: 40 }, (_, i) => `t${String(i).padStart(2, "0")}`);
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL("migrate.ts", import.meta.url))],
    outfile: join(folder, "migrate.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".sql": "text" },
    external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const databases = await sqliteDatabases(data);
  await databases.first.migrate();
  const crypto = { secret: "0123456789abcdef0123456789abcdef", signingAlgorithm: "ES256" } as const;
  const postern = createService(databases, { issuer: "http://localhost/", crypto });
  const [first = "", ...others] = tenantIds;
  await databases.tenants.provision(first);
  await postern.seed({ tenantId: "main" });
  await postern.seed({ tenantId: first });
  const [row] = await databases.first.collections.tenants.find({ where: { id: first }, limit: 1 });
  if (row === undefined) throw new Error("the tenant was not seeded");
  await databases.first.collections.tenants.insert(others.map((id) => ({ ...row, id })));
  await postern.close();
  await databases.close();
  // Empties the databases, as if an older version without any of the current migrations had created them.
  for (const tenantId of tenantIds) writeFileSync(fileOf(tenantId), "");
});

/** Runs the command. @param lines the number of output lines after which the command is killed. */
async function run(lines = Infinity): Promise<{ readonly code: unknown; readonly printed: readonly string[] }> {
  const child = spawn(process.execPath, [join(folder, "migrate.mjs")], {
    env: { ...process.env, DATABASES: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const printed: string[] = [];
  const closed = once(child, "close");
  for await (const line of createInterface(child.stdout)) {
    printed.push(line);
    if (printed.length === lines) child.kill("SIGKILL");
  }
  const [code] = (await closed) as [unknown];
  return { code, printed };
}

test("the command can be run again after it was killed, and its exit code reports a failed database", async () => {
  const killed = await run(8);
  expect(killed.code).toBe(null);
  const databases = await sqliteDatabases(data);
  const statesOf = () =>
    Promise.all(
      tenantIds.map(async (tenantId) => {
        const adapter = await databases.tenants.open(tenantId);
        const isMigrated = await adapter.check().then(
          () => true,
          () => false,
        );
        await adapter.close();
        return isMigrated;
      }),
    );
  const migrated = (await statesOf()).filter(Boolean).length;
  expect(migrated).toBeGreaterThanOrEqual(7);
  expect(migrated).toBeLessThan(40);

  writeFileSync(fileOf("t39"), "no database ".repeat(100));
  const second = await run();
  expect(second.code).toBe(1);
  expect(second.printed).toContain(`${39 - migrated} migrated, ${migrated + 1} up to date, 1 failed`);
  expect(second.printed.at(-1)).toMatch(/^failed: t39, .*not a database/);

  writeFileSync(fileOf("t39"), "");
  const third = await run();
  expect(third.code).toBe(0);
  expect(third.printed.at(-1)).toBe("1 migrated, 40 up to date, 0 failed");
  expect(await statesOf()).toEqual(tenantIds.map(() => true));
  await databases.close();
});
