import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundleServers } from "../support/server-processes.ts";
import { killUnderLoad } from "../support/crash.ts";
import { isNightly, onlyNightly } from "../support/nightly.ts";

// test/crash.test.ts runs 20 crashes, also in `.ci/run`.
test(
  "a SQLite server killed under load 200 times keeps every acknowledged write and its audit event",
  { timeout: 900_000 },
  async ({ skip }) => {
    if (!isNightly) skip(onlyNightly);
    const servers = await bundleServers();
    const folder = mkdtempSync(join(tmpdir(), "postern-crash-"));
    try {
      expect(await killUnderLoad(servers, `sqlite:${join(folder, "postern.db")}`, 200)).toBeGreaterThan(2000);
    } finally {
      await servers.stop();
      rmSync(folder, { recursive: true });
    }
  },
);
