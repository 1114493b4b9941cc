import type { PGlite, PGliteTransaction } from "kysely";
import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { HostTables } from "./host-tables.ts";
import { inSchema, pglite } from "./dialects/postgres.ts";
import { pgliteDialect, pgliteTransactionDialect } from "./drivers/pglite.ts";

/** Options of {@link createPGliteAdapter}. */
export interface PGliteOptions {
  /** A `PGlite` of @electric-sql/pglite. The host may use it too. */
  readonly instance: PGlite;
  /**
   * The schema of the tables, created by `migrate()`. Each statement names it. Default: the instance's `search_path`
   * selects the schema.
   */
  readonly schema?: string;
  /** Tables of the host that replace Postern's, by collection, for example the `users` table of an app. */
  readonly tables?: HostTables;
  /** `true` if `close()` also closes `instance`. Default `false`. */
  readonly closes?: boolean;
}

/**
 * Postern's data in PGlite: PostgreSQL inside this process.
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
