import { build } from "esbuild";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The folder for all files of a run. It is inside the workspace, so that Node.js resolves the external packages. */
export const work = here(".work");

/**
 * Bundles programs for separate processes from the packages' sources, as the standalone example does. Database drivers
 * stay external.
 */
export async function bundlePrograms(entryPoints: readonly string[], outdir = work): Promise<void> {
  await build({
    entryPoints: entryPoints.map(here),
    outdir,
    outbase: entryPoints.length === 1 ? dirname(here(entryPoints[0] ?? "")) : here(""),
    bundle: true,
    platform: "node",
    target: "node22",
    format: "esm",
    conditions: ["postern-source"],
    loader: { ".sql": "text" },
    // The database URL determines which driver is loaded. `nodePaths` names the folder in which the workspace has the
    // drivers.
    external: ["better-sqlite3", "mysql2", "@electric-sql/pglite", "pg-native"],
    nodePaths: [here("../../packages/kysely/node_modules")],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    outExtension: { ".js": ".mjs" },
    sourcemap: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    // Modules that are imported dynamically stay separate files, as in the published packages.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
  });
}
