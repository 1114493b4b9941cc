import Database from "better-sqlite3";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { sqliteAdapter } from "@postern/kysely";
import { keepsTheContract } from "./contract.ts";
import { during, sqliteInMemory } from "./databases.ts";
import { answersLikeCore } from "./reference.ts";

const migrated = async () => {
  const adapter = sqliteInMemory();
  await adapter.migrate();
  return adapter;
};

describe("in memory", () => {
  const open = during(sqliteInMemory);
  answersLikeCore(open, 1);
  keepsTheContract(open, migrated);
});

describe("in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "postern-kysely-"));
  const open = during(
    () => sqliteAdapter({ database: new Database(join(folder, "data.db")), closes: true }),
    () => rmSync(folder, { recursive: true }),
  );
  keepsTheContract(open, migrated);
});
