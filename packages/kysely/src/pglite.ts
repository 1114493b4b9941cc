import type { PGlite, PGliteTransaction } from "kysely";
import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { HostTables } from "./host-tables.ts";
import { inSchema, pglite } from "./dialects/postgres.ts";
import { pgliteDialect, pgliteTransactionDialect } from "./drivers/pglite.ts";

/** Options of {@link createPGliteAdapter}. */
export interface PGliteOptions {
  /** A `PGlite` from @electric-sql/pglite. The host may also use it. */
  readonly instance: PGlite;
  /**
   * The schema that contains the tables. `migrate()` creates it, and each statement names it. Default: the
   * `search_path` of the instance selects the schema.
   */
  readonly schema?: string;
  /** Host tables that replace Postern's tables, by collection, for example the `users` table of an app. */
  readonly tables?: HostTables;
  /** Whether `close()` also closes `instance`. Default `false`. */
  readonly closes?: boolean;
}

/**
 * Creates the adapter that stores Postern's data in PGlite, which is PostgreSQL inside this process.
 *
 * @example
 * const data = createPGliteAdapter({ instance: new PGlite("./data") });
 * await data.migrate();
 */
export function createPGliteAdapter({
  instance,
  schema,
  tables,
  closes = false,
}: PGliteOptions): JoiningAdapter<Pick<PGliteTransaction, "query">> {
  return joiningAdapter(
    {
      dialect: inSchema(pglite, schema),
      tables,
      driver: pgliteDialect(instance, schema),
      ...(closes && { close: () => instance.close() }),
    },
    (transaction) => pgliteTransactionDialect(transaction, schema),
  );
}
