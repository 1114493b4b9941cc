import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { OwnTables } from "./own-tables.ts";
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
  /** A `Pool` of pg. It may be one that the host uses as well. */
  readonly pool: PgPool;
  /**
   * The schema that the tables are in, made by `migrate()`; each statement names it. Left out, the connection's `search_path` decides.
   */
  readonly schema?: string;
  /**
   * Whether statements are prepared once on each connection. Default true, with a `schema` false: a server keeps what is prepared on each connection,
   * which for a thousand schemas is more than it has memory.
   * Say false behind a proxy that hands a connection from client to client between statements, such as PgBouncer in transaction mode
   * without its `max_prepared_statements`.
   */
  readonly prepare?: boolean;
  /** Tables of the host's in the place of Postern's, by collection: the `users` of an app, for instance. */
  readonly tables?: OwnTables;
  /** Whether `close()` ends `pool` too. Default false: it belongs to the host. */
  readonly closes?: boolean;
}

/**
 * Postern's data in PostgreSQL.
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
      cancellable: postgresCancellable(pool, names),
      ...(names && { kept: (text) => names.add(text) }),
      ...(closes && { close: () => pool.end() }),
    },
    (client: PgClient) => postgresClientDialect(client, names, schema),
  );
}
