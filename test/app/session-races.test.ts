import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@postern/kysely/url";
import { createMemoryAdapter } from "@postern/memory";
import { afterAll, describe } from "vitest";
import { aroundWrites } from "../servers/support/around-writes.ts";
import { testAppSessionRaces } from "../support/races-of-app-sessions.ts";

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe("on one SQLite file", () =>
  testAppSessionRaces(async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-app-sessions-"));
    folders.push(folder);
    const url = `sqlite:${join(folder, "postern.db")}`;
    const both = [await openDatabase(url), await openDatabase(url)] as const;
    await both[0].migrate();
    return both;
  }));

// Each write takes a turn of the event loop, so that requests overlap between their reads and writes.
describe("in memory", () =>
  testAppSessionRaces(async () => {
    const data = aroundWrites(createMemoryAdapter({ strict: true }), async (_, run) => {
      await new Promise((resolve) => setImmediate(resolve));
      return run();
    });
    return [data, data];
  }));
