import Database from "libsql";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { sqliteAdapter } from "@postern/kysely";
import { keepsTheContract } from "./contract.ts";
import { during } from "./databases.ts";
import { answersLikeCore } from "./reference.ts";

const inMemory = () => sqliteAdapter({ database: new Database(":memory:"), closes: true });

const migrated = async () => {
  const adapter = inMemory();
  await adapter.migrate();
  return adapter;
};

describe("libsql in memory", () => {
  const open = during(inMemory);
  answersLikeCore(open, 1);
  keepsTheContract(open, migrated);
});

describe("libsql in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-kysely-"));
  const open = during(
    () => sqliteAdapter({ database: new Database(join(folder, "data.db")), closes: true }),
    () => rmSync(folder, { recursive: true }),
  );
  keepsTheContract(open, migrated);
});
