import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleServers, type Servers } from "./support/child.ts";
import { killUnderLoad } from "./support/crash.ts";

let servers: Servers;
let folder: string;

beforeAll(async () => {
  servers = await bundleServers();
  folder = mkdtempSync(join(tmpdir(), "postern-crash-"));
});
afterAll(async () => {
  await servers.stop();
  rmSync(folder, { recursive: true });
});

// Two hundred deaths are in test/servers/crash.test.ts, with other databases.
test("a server killed under load twenty times has lost no write that it answered, nor its audit row", { timeout: 60_000 }, async () => {
  const checked = await killUnderLoad(servers, `sqlite:${join(folder, "postern.db")}`, 20);
  expect(checked).toBeGreaterThan(200);
});
