import { defineAdapter } from "@postern/core/adapter";
import { d1 } from "./dialects/d1.ts";
import { D1Dialect, type D1Database } from "./drivers/d1.ts";
import { migrateInBatches } from "./migrate-in-batches.ts";
import { openTables } from "./open-tables.ts";
import type { OwnTables } from "./own-tables.ts";
import type { TableAdapter } from "./table-adapter.ts";

export type { D1Database, D1Result, D1Statement } from "./drivers/d1.ts";

/** Options of {@link createD1Adapter}. */
export interface D1Options {
  /**
   * The D1 binding of a Worker: `env.DB`. Not a session of it (`withSession`), which may read from a replica that lags behind: what was written has to be seen by the next question.
   */
  readonly database: D1Database;
  /**
   * Tables of the host's in the place of Postern's, by collection: the `users` of an app, for instance. They have no triggers that write: D1 counts the rows of a trigger
   * among those of the statement, and Postern goes by that count.
   */
  readonly tables?: OwnTables;
}

/**
 * Postern's data in Cloudflare D1. It has no `transaction`, which D1 lacks and Postern does without.
 *
 * @example
 * const data = createD1Adapter({ database: env.DB });
 * await data.migrate();
 */
export function createD1Adapter({ database, tables }: D1Options): TableAdapter {
  const driver = new D1Dialect(database);
  const together = driver.runTogether.bind(driver);
  const { db, runner, collectionsOn, ...rest } = openTables({ dialect: d1, driver, tables, together, close: () => driver.end() });
  return {
    collections: defineAdapter(collectionsOn(runner)).collections,
    migrate: () => migrateInBatches(db, d1, together),
    ...rest,
  };
}
