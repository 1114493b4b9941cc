import { build } from "esbuild";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Migrates one database with four processes at once. Returns the migrations that each of them applied. */
export const migrateInFourProcesses = (url: string): Promise<string[][]> => migrateInProcesses([url, url, url, url]);

/** Starts a process for each URL. All of them migrate at once. Returns the migrations that each of them applied. */
export async function migrateInProcesses(urls: readonly string[]): Promise<string[][]> {
  // A bundle, because Node cannot import SQL and JSX. It is inside the package, because Node resolves the drivers from
  // there.
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
