import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { OwnTables } from "./own-tables.ts";
import { mysql } from "./dialects/mysql.ts";
import { callbackPool, mysqlCancellable, mysqlClientDialect, mysqlDialect, type Mysql2Client, type Mysql2Pool } from "./drivers/mysql.ts";

/** Options of {@link createMysqlAdapter}. */
export interface MysqlOptions {
  /** A pool of mysql2 or of mysql2/promise. It may be one that the host uses as well. */
  readonly pool: Mysql2Pool;
  /** Tables of the host's in the place of Postern's, by collection: the `users` of an app, for instance. */
  readonly tables?: OwnTables;
  /** Whether `close()` ends `pool` too. Default false: it belongs to the host. */
  readonly closes?: boolean;
}

/**
 * Postern's data in MySQL or MariaDB.
 *
 * @example
 * const data = createMysqlAdapter({ pool: createPool({ uri }) });
 * await data.migrate();
 */
export function createMysqlAdapter({ pool, tables, closes = false }: MysqlOptions): JoiningAdapter<Mysql2Client> {
  const callback = callbackPool(pool);
  const parts = {
    dialect: mysql,
    tables,
    driver: mysqlDialect(callback),
    cancellable: mysqlCancellable(callback),
    ...(closes && { close: () => ended(callback) }),
  };
  return joiningAdapter(parts, mysqlClientDialect);
}

function ended(pool: ReturnType<typeof callbackPool>): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.end((error) => (error ? reject(error instanceof Error ? error : new Error(String(error))) : resolve()));
  });
}
