import { PGlite } from "@electric-sql/pglite";
import Database from "better-sqlite3";
import { afterAll, beforeAll } from "vitest";
import { pgliteAdapter, sqliteAdapter, type SqlAdapter } from "@postern/kysely";

/** Opens and migrates a database before the tests of a file, and closes it after them. */
export function during(open: () => SqlAdapter | Promise<SqlAdapter>, after: () => unknown = () => {}): () => SqlAdapter {
  let adapter: SqlAdapter | undefined;
  beforeAll(async () => {
    adapter = await open();
    await adapter.migrate();
    await adapter.check();
  });
  afterAll(async () => {
    await adapter?.close();
    await after();
  });
  return () => {
    if (adapter === undefined) throw new Error("not open");
    return adapter;
  };
}

export const sqliteInMemory = (): SqlAdapter => sqliteAdapter({ database: new Database(":memory:"), closes: true });

export const pgliteInMemory = (): SqlAdapter => pgliteAdapter({ instance: new PGlite(), closes: true });
