import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { groups } from "../../docs/.vitepress/pages.ts";
import { fromRegistry } from "./support/from-registry.ts";
import { npmEnv } from "./support/packed.ts";

const site = join(import.meta.dirname, "../../docs/.vitepress");
const run = promisify(execFile);

test("the documentation builds as a site without dead links", { timeout: 300_000 }, async ({ skip }) => {
  const out = mkdtempSync(join(tmpdir(), "postern-docs-"));
  onTestFinished(() => rmSync(out, { recursive: true }));
  const install = ["-y", "pnpm@12", "install", "--frozen-lockfile"];
  await fromRegistry("VitePress", skip, () => run("npx", install, { cwd: site, env: npmEnv }));

  await run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build", "..", "--outDir", out], {
    cwd: site,
    env: npmEnv,
  }).catch((failure: { stdout: string; stderr: string }) => {
    throw new Error(`${failure.stdout}\n${failure.stderr}`);
  });
  for (const page of ["index", ...groups.flatMap(({ pages }) => pages)]) expect(existsSync(join(out, `${page}.html`)), page).toBe(true);
  // Links to code lead to the repository.
  expect(readFileSync(join(out, "embedding.html"), "utf8")).toContain(
    'href="https://github.com/postern/postern/tree/main/examples/express"',
  );
});
