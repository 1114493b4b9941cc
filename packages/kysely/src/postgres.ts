import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { HostTables } from "./host-tables.ts";
import { inSchema, postgres } from "./dialects/postgres.ts";
import {
  postgresCancellable,
  postgresClientDialect,
  postgresDialect,
  PreparedNames,
  type PgClient,
  type PgPool,
} from "./drivers/postgres.ts";

/** Options of {@link createPostgresAdapter}. */
export interface PostgresOptions {
  /** A `Pool` from pg. The host may also use it. */
  readonly pool: PgPool;
  /**
   * The schema that contains the tables. `migrate()` creates it, and each statement names it. Default: the
   * `search_path` of the connection selects the schema.
   */
  readonly schema?: string;
  /**
   * Whether to prepare each statement once per connection. Default: `true` without `schema`, `false` with `schema`,
   * because the prepared statements of a thousand schemas on each connection need more memory than a server has. Set
   * `false` behind a proxy that shares connections between clients, such as PgBouncer in transaction mode without
   * `max_prepared_statements`.
   */
  readonly prepare?: boolean;
  /** Host tables that replace Postern's tables, by collection, for example the `users` table of an app. */
  readonly tables?: HostTables;
  /** Whether `close()` also ends `pool`. Default `false`. */
  readonly closes?: boolean;
}

/**
 * Creates the adapter that stores Postern's data in PostgreSQL.
 *
 * @example
 * const data = createPostgresAdapter({ pool: new Pool({ connectionString }) });
 * await data.migrate();
 */
export function createPostgresAdapter({
  pool,
  schema,
  tables,
  prepare = schema === undefined,
  closes = false,
}: PostgresOptions): JoiningAdapter<PgClient> {
  const names = prepare ? new PreparedNames() : undefined;
  return joiningAdapter(
    {
      dialect: inSchema(postgres, schema),
      tables,
      driver: postgresDialect(pool, names, schema),
      runCancellable: postgresCancellable(pool, names),
      ...(names && { onStatement: (text) => names.add(text) }),
      ...(closes && { close: () => pool.end() }),
    },
    (client: PgClient) => postgresClientDialect(client, names, schema),
  );
}
