/** Bundles the server from its sources. A process of its own: what bundling needs is not kept by the server. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { watchAncestors } from "./src/ancestors.ts";

// Until the server itself looks after this.
watchAncestors(() => process.exit(1));

const { outputFiles } = await build({
  entryPoints: { standalone: join(import.meta.dirname, "src/main.ts") },
  outdir: join(import.meta.dirname, "dist"),
  write: false,
  bundle: true,
  // What is loaded only when it is needed stays a file of its own.
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node22",
  conditions: ["postern-source"],
  jsx: "automatic",
  jsxImportSource: "preact",
  sourcemap: true,
  // The sources are beside it.
  sourcesContent: false,
  // Drivers are loaded when the database asks for one; they are dependencies of this example, beside the bundle.
  external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
  loader: { ".sql": "text" },
  // For CommonJS inside the bundle.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

// Whole files under their final names: another start at the same time never reads half a bundle.
for (const { path, contents } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.${process.pid}`, contents);
  await rename(`${path}.${process.pid}`, path);
}
process.exit(0);
