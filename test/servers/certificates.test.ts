import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { bundleFile } from "./support/bundled.ts";
import type { PolyfillReport } from "./support/polyfilled-app.ts";

/** Requests the report of an app and prints it. */
const program = `import(process.argv[1]).then(({ default: app }) => app.fetch()).then((response) => response.text()).then(console.log)`;

/** Returns the state of `Reflect` metadata in a separate process, because a polyfill lasts as long as its process. */
async function reportOf(polyfill: string, installed: string): Promise<PolyfillReport> {
  const folder = mkdtempSync(join(tmpdir(), "postern-polyfill-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const app = join(folder, "app.mjs");
  await bundleFile(join(import.meta.dirname, "support/polyfilled-app.ts"), app, {
    PORT: "0",
    POLYFILL: JSON.stringify(polyfill),
    INSTALLED: JSON.stringify(installed),
  });
  const { stdout } = await promisify(execFile)(process.execPath, ["--eval", program, app]);
  return JSON.parse(stdout) as PolyfillReport;
}

const first = "before the first certificate";
const later = "after the first certificate";

test("loads the polyfill with the first certificate, not with the entry of core", async () => {
  const { polyfilledByEntry, expiries } = await reportOf("none", later);
  expect(polyfilledByEntry).toBe(false);
  expect(expiries.every((expiry) => expiry > Date.now())).toBe(true);
});

test.each([
  ["own", first],
  ["own", later],
  ["reflect-metadata 0.1", first],
  ["reflect-metadata 0.1", later],
])("keeps the functions and metadata of a host application's polyfill '%s', installed %s", async (polyfill, installed) => {
  const { expiries, ...rest } = await reportOf(polyfill, installed);
  expect(rest).toEqual({ polyfilledByEntry: false, keepsFunctions: true, hasWebauthn: true, role: "admin" });
  expect(expiries.length).toBe(installed === later ? 2 : 1);
  expect(expiries.every((expiry) => expiry > Date.now())).toBe(true);
});
