import { PGlite } from "@electric-sql/pglite";
import Database from "better-sqlite3";
import { afterAll, beforeAll } from "vitest";
import { createPGliteAdapter, createSqliteAdapter, type SqlAdapter, type TableAdapter } from "@postern/kysely";

/** Opens and migrates a database before the tests of a file, and closes it after them. */
export function during<Adapter extends TableAdapter>(
  open: () => Adapter | Promise<Adapter>,
  after: () => unknown = () => {},
): () => Adapter {
  let adapter: Adapter | undefined;
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

export const sqliteInMemory = (): SqlAdapter => createSqliteAdapter({ database: new Database(":memory:"), closes: true });

export const pgliteInMemory = (): SqlAdapter => createPGliteAdapter({ instance: new PGlite(), closes: true });
