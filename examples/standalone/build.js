/**
 * Bundles the server from its sources. Runs as a separate process, so that the server does not keep the memory of the
 * bundler.
 */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { watchAncestors } from "./src/ancestors.ts";

// Stops the build if the package manager ends. The server process does the same.
watchAncestors(() => process.exit(1));

const { outputFiles } = await build({
  entryPoints: { standalone: join(import.meta.dirname, "src/main.ts") },
  outdir: join(import.meta.dirname, "dist"),
  write: false,
  bundle: true,
  // Modules that are loaded on demand stay separate files.
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  format: "esm",
  target: "node22",
  conditions: ["postern-source"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  // The source files are available next to the bundle.
  sourcesContent: false,
  // Database drivers are loaded on demand. They are dependencies of this example and not part of the bundle.
  external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
  loader: { ".sql": "text" },
  // Defines `require` for CommonJS modules inside the bundle.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});

// Writes each file completely before it gets its final name, so that a concurrent start never reads an incomplete
// bundle.
for (const { path, contents } of outputFiles) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.${process.pid}`, contents);
  await rename(`${path}.${process.pid}`, path);
}
process.exit(0);
