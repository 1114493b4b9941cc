import { joiningAdapter, type JoiningAdapter } from "./adapter.ts";
import type { HostTables } from "./host-tables.ts";
import type { AdapterParts } from "./open-tables.ts";
import { mysql } from "./dialects/mysql.ts";
import { callbackPool, mysqlCancellable, mysqlClientDialect, mysqlDialect, type Mysql2Client, type Mysql2Pool } from "./drivers/mysql.ts";

/** Options of {@link createMysqlAdapter}. */
export interface MysqlOptions {
  /** A pool from mysql2 or mysql2/promise. The host may also use it. */
  readonly pool: Mysql2Pool;
  /** Host tables that replace Postern's tables, by collection, for example the `users` table of an app. */
  readonly tables?: HostTables;
  /** Whether `close()` also ends `pool`. Default `false`. */
  readonly closes?: boolean;
}

/**
 * Creates the adapter that stores Postern's data in MySQL or MariaDB.
 *
 * @example
 * const data = createMysqlAdapter({ pool: createPool({ uri }) });
 * await data.migrate();
 */
export function createMysqlAdapter({ pool, tables, closes = false }: MysqlOptions): JoiningAdapter<Mysql2Client> {
  const callback = callbackPool(pool);
  const parts: AdapterParts = {
    dialect: mysql,
    tables,
    driver: mysqlDialect(callback),
    runCancellable: mysqlCancellable(callback),
    ...(closes && { close: () => ended(callback) }),
  };
  return joiningAdapter(parts, mysqlClientDialect);
}

function ended(pool: ReturnType<typeof callbackPool>): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.end((error) => (error ? reject(error instanceof Error ? error : new Error(String(error))) : resolve()));
  });
}
