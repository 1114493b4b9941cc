import { describe } from "vitest";
import { createSqliteAdapter, type BunSqliteDatabase } from "@postern/kysely";
import { keepsTheContract } from "./contract.ts";
import { during } from "./databases.ts";
import { answersLikeCore } from "./reference.ts";

// This module exists only in Bun, and its types are not installed.
const name: string = "bun:sqlite";

describe.skipIf(process.versions["bun"] === undefined)("bun:sqlite, which needs Bun, in memory", async () => {
  const inMemory = async () => {
    const { Database } = (await import(name)) as { readonly Database: new (path: string) => BunSqliteDatabase };
    return createSqliteAdapter({ database: new Database(":memory:"), closes: true });
  };
  const migrated = async () => {
    const adapter = await inMemory();
    await adapter.migrate();
    return adapter;
  };
  const open = during(inMemory);
  answersLikeCore(open, 1);
  keepsTheContract(open, migrated);
});
