import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

test.each([
  ["pg", "loadPg"],
  ["mysql2", "loadMysql2"],
  ["@electric-sql/pglite", "loadPGlite"],
] as const)("the error for the missing driver %s says that a bundled app must be rebuilt", async (name, load) => {
  // The program runs in a separate folder, from which Node finds no driver.
  const folder = mkdtempSync(join(tmpdir(), "postern-drivers-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copy = join(folder, "load.ts");
  copyFileSync(join(import.meta.dirname, "../src/drivers/load.ts"), copy);
  const program = `import(process.argv[1]).then((drivers) => drivers[process.argv[2]]()).catch((error) => console.log(error.message))`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program, pathToFileURL(copy).href, load], { cwd: folder });
  expect(stdout).toContain(`needs the package ${name}: install it beside @postern/kysely`);
  expect(stdout).toContain("rebuild it");
});
