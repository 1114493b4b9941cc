import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

const run = promisify(execFile);

/**
 * The machine's own Node and npm, before those of this repository: version 12 brings no binaries, so that its install fetches one for the Node that runs it,
 * or compiles against the headers of that Node. No install of this repository does either, which is why it is not among the dev dependencies.
 */
const PATH = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules"))
  .join(delimiter);
const env = { ...process.env, PATH };

test("better-sqlite3 12 keeps the data contract", { timeout: 900_000 }, async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "postern-sqlite-12-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const installed = await install(folder).catch((error: unknown) => String(error));
  if (typeof installed === "string") skip(`better-sqlite3 12 could not be installed on this machine: ${installed.slice(0, 1000)}`);

  const program = join(folder, "contract.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "support/sqlite-contract.ts")],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["postern-source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".sql": "text" },
    banner: { js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);' },
  });
  const { stdout } = await run("node", [program, folder], { cwd: folder, env }).catch(
    (failure: { stdout: string; stderr: string }) => failure,
  );
  expect(stdout).toMatch(/\d{3} passed, 0 failed/);
});

/** @throws where npm fails, or the module does not load. */
async function install(folder: string): Promise<void> {
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "better-sqlite3@12"], { cwd: folder, env });
  await run("node", ["-e", 'new (require("better-sqlite3"))(":memory:")'], { cwd: folder, env });
}
