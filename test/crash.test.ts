import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleServers, type BundledServers } from "./support/server-processes.ts";
import { killUnderLoad } from "./support/crash.ts";

let servers: BundledServers;
let folder: string;

beforeAll(async () => {
  servers = await bundleServers();
  folder = mkdtempSync(join(tmpdir(), "postern-crash-"));
});
afterAll(async () => {
  await servers.stop();
  rmSync(folder, { recursive: true });
});

// test/servers/crash.test.ts runs 200 crashes.
test("a server killed under load 20 times keeps every acknowledged write and its audit event", { timeout: 60_000 }, async () => {
  const checked = await killUnderLoad(servers, `sqlite:${join(folder, "postern.db")}`, 20);
  expect(checked).toBeGreaterThan(200);
});
