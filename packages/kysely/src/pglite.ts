import type { PGlite, PGliteTransaction } from "kysely";
import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { OwnTables } from "./own-tables.ts";
import { inSchema, pglite } from "./dialects/postgres.ts";
import { pgliteDialect, pgliteTransactionDialect } from "./drivers/pglite.ts";

/** Options of {@link createPGliteAdapter}. */
export interface PGliteOptions {
  /** A `PGlite` of @electric-sql/pglite. It may be one that the host uses as well. */
  readonly instance: PGlite;
  /** The schema that the tables are in, made by `migrate()`; each statement names it. Left out, the instance's `search_path` decides. */
  readonly schema?: string;
  /** Tables of the host's in the place of Postern's, by collection: the `users` of an app, for instance. */
  readonly tables?: OwnTables;
  /** Whether `close()` closes `instance` too. Default false: it belongs to the host. */
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
