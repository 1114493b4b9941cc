import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { createSqliteAdapter, type AnySqliteDatabase, type SqlAdapter } from "@postern/kysely";
import { keepsTheContract } from "./contract.ts";
import { during } from "./databases.ts";
import { answersLikeCore } from "./reference.ts";

/** Runs the whole data contract with a SQLite driver, in memory and in a file. */
export function keepsTheSqliteContract(openDatabase: (path: string) => AnySqliteDatabase): void {
  const at = (path: string): SqlAdapter => createSqliteAdapter({ database: openDatabase(path), closes: true });
  const migrated = async (): Promise<SqlAdapter> => {
    const adapter = at(":memory:");
    await adapter.migrate();
    return adapter;
  };

  describe("in memory", () => {
    const open = during(() => at(":memory:"));
    answersLikeCore(open, 1);
    keepsTheContract(open, migrated);
  });

  describe("in a file", () => {
    const folder = mkdtempSync(join(tmpdir(), "postern-kysely-"));
    const open = during(
      () => at(join(folder, "data.db")),
      () => rmSync(folder, { recursive: true }),
    );
    keepsTheContract(open, migrated);
  });
}
