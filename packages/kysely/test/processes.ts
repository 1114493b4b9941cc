import { build } from "esbuild";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Migrates one database with four processes at the same time. Returns the migrations that each process ran. */
export const migrateInFourProcesses = (url: string): Promise<string[][]> => migrateInProcesses([url, url, url, url]);

/**
 * Starts one process for each URL. All processes migrate at the same time. Returns the migrations that each process
 * ran.
 */
export async function migrateInProcesses(urls: readonly string[]): Promise<string[][]> {
  // The program is bundled, because Node cannot import SQL and JSX. The bundle is inside the package, because Node
  // resolves the drivers from there.
  const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "migrate-"));
  try {
    const outfile = join(folder, "migrate.mjs");
    await build({
      entryPoints: [fileURLToPath(new URL("migrate-process.ts", import.meta.url))],
      outfile,
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
    const run = promisify(execFile);
    const runs = await Promise.all(urls.map((url) => run(process.execPath, [outfile, url])));
    return runs.map(({ stdout }) => JSON.parse(stdout) as string[]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
