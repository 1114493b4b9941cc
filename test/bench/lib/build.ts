import { build } from "esbuild";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Where everything that a run makes goes. Inside the workspace, so that what stays out of the bundles is found. */
export const work = here(".work");

/** Bundles what runs in processes of their own, as the standalone example is bundled: from the packages' sources, drivers left out. */
export async function bundle(entryPoints: readonly string[], outdir = work): Promise<void> {
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
    // Drivers are loaded when an address asks for them; the paths say where the workspace keeps them.
    external: ["better-sqlite3", "mysql2", "@electric-sql/pglite", "pg-native"],
    nodePaths: [here("../../packages/kysely/node_modules")],
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    outExtension: { ".js": ".mjs" },
    sourcemap: true,
    jsx: "automatic",
    jsxImportSource: "preact",
    // What is loaded only when it is needed stays a file of its own, as in the published packages.
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    logLevel: "warning",
  });
}
