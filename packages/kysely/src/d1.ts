import { defineAdapter } from "@postern/core/adapter";
import { d1 } from "./dialects/d1.ts";
import { D1Dialect, type D1Database } from "./drivers/d1.ts";
import { migrateInBatches } from "./migrate-in-batches.ts";
import { openTables } from "./open-tables.ts";
import type { HostTables } from "./host-tables.ts";
import type { TableAdapter } from "./table-adapter.ts";

export type { D1Database, D1Result, D1Statement } from "./drivers/d1.ts";

/** Options of {@link createD1Adapter}. */
interface D1Options {
  /**
   * The Worker's D1 binding: `env.DB`. Do not pass a session (`withSession`): a session may read from a replica that
   * lags behind, and Postern must read its own writes.
   */
  readonly database: D1Database;
  /**
   * Host tables that replace Postern's tables, by collection, for example the `users` table of an app. They must not
   * have triggers that write. D1 adds the rows that a trigger changes to the statement's row count, and Postern relies
   * on that count.
   */
  readonly tables?: HostTables;
}

/**
 * Creates the adapter that stores Postern's data in Cloudflare D1. It has no `transaction`, because D1 has no
 * interactive transactions.
 *
 * @example
 * const data = createD1Adapter({ database: env.DB });
 * await data.migrate();
 */
export function createD1Adapter({ database, tables }: D1Options): TableAdapter {
  const driver = new D1Dialect(database);
  const runBatch = driver.runBatch.bind(driver);
  const { db, runner, collectionsOn, ...rest } = openTables({ dialect: d1, driver, tables, runBatch, close: () => driver.end() });
  return {
    collections: defineAdapter(collectionsOn(runner)).collections,
    migrate: () => migrateInBatches(db, d1, runBatch),
    ...rest,
  };
}
