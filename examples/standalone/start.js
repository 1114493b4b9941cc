/**
 * Starts the server from its sources: bundles them, which takes a moment, and runs the bundle. So there is no build to forget.
 * In a container, call this file itself (`node examples/standalone/start.js`): signals then reach the server without a package manager in between.
 */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, stop } from "esbuild";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Postern needs Node 22.18 or later, and this is ${process.versions.node}. \`npx pnpm@12 start\` brings its own.`);
  process.exit(2);
}

// Until the server itself looks after this.
const { watchAncestors } = await import("./src/ancestors.ts");
const stopWatching = watchAncestors(() => process.exit(1));

const folder = join(import.meta.dirname, "dist");
const bundle = join(folder, "standalone.js");

const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, "src/main.ts")],
  outfile: bundle,
  write: false,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  conditions: ["postern-source"],
  jsx: "automatic",
  jsxImportSource: "preact",
  sourcemap: true,
  // Drivers are loaded when the database asks for one; they are dependencies of this example, beside the bundle.
  external: ["better-sqlite3", "pg", "mysql2", "@electric-sql/pglite"],
  loader: { ".sql": "text" },
  // For CommonJS inside the bundle.
  banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
});
// Else esbuild's own process would stay beside the server for as long as it lives.
await stop();

// Whole files under their final names: another start at the same time never reads half a bundle.
await mkdir(folder, { recursive: true });
for (const { path, contents } of outputFiles) {
  await writeFile(`${path}.${process.pid}`, contents);
  await rename(`${path}.${process.pid}`, path);
}

process.setSourceMapsEnabled(true);
await import(pathToFileURL(bundle).href);
stopWatching();
