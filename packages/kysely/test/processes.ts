import { build } from "esbuild";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Lets four processes migrate one database at once, and returns what each of them applied. */
export async function migrateInFourProcesses(url: string): Promise<string[][]> {
  // A bundle, because Node reads neither SQL nor core's pages; inside the package, because that is where the drivers are found.
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
    const runs = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, [outfile, url])));
    return runs.map(({ stdout }) => JSON.parse(stdout) as string[]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
