import { build } from "esbuild";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { fromRegistry } from "./support/from-registry.ts";
import { npmEnv } from "./support/packed.ts";

const run = promisify(execFile);

/**
 * The test runs on Node.js 22. Code that is compiled for Node.js 24 with headers of 24.19 or later aborts when a
 * statement is garbage collected (docs/decisions/0004-packages-have-few-dependencies.md).
 * Version 12 ships no binaries. Its install downloads one, or compiles with the headers of this Node.js. Compilation
 * skips optimizations, which take most of the time.
 */
const node = `node-${process.platform}-${process.arch}`;

test("better-sqlite3 12 fulfils the data contract on Node.js 22", { timeout: 900_000 }, async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "postern-sqlite-12-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const headers = join(folder, "node_modules", node);
  const env = {
    ...npmEnv,
    PATH: [join(headers, "bin"), npmEnv["PATH"]].join(delimiter),
    npm_config_nodedir: headers,
    CFLAGS: "-O0",
    CXXFLAGS: "-O0",
  };
  await fromRegistry("better-sqlite3 12 for Node 22", skip, async () => {
    await run("npm", ["install", "--no-audit", "--no-fund", `${node}@22`], { cwd: folder, env: npmEnv });
    await run("npm", ["install", "--no-audit", "--no-fund", "better-sqlite3@12"], { cwd: folder, env });
    await run("node", ["-e", 'new (require("better-sqlite3"))(":memory:")'], { cwd: folder, env });
  });

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
  const { stdout } = await run("node", [program, folder], { cwd: folder, env }).catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`the contract is not fulfilled: ${failure.stdout}\n${failure.stderr}`);
  });
  expect(stdout).toMatch(/\d{3} passed, 0 failed/);
});
