export type { JoiningAdapter, SqlAdapter } from "./adapter.ts";
export type { HostTable, HostTables } from "./host-tables.ts";
export type { MigrationResult } from "./migrate.ts";
export type {
  AnySqliteDatabase,
  BunSqliteDatabase,
  BunSqliteStatement,
  NodeSqliteDatabase,
  NodeSqliteStatement,
  SqliteParameter,
} from "./drivers/builtin-sqlite.ts";
export type { BetterSqliteDatabase, BetterSqliteStatement } from "./drivers/sqlite.ts";
export type {
  Mysql2CallbackClient,
  Mysql2CallbackPool,
  Mysql2Client,
  Mysql2Connection,
  Mysql2Pool,
  Mysql2PromiseClient,
  Mysql2Query,
} from "./drivers/mysql.ts";
export type { PgClient, PgPool, PgPoolClient, PgQuery } from "./drivers/postgres.ts";
export { createMysqlAdapter, type MysqlOptions } from "./mysql.ts";
export { createPGliteAdapter, type PGliteOptions } from "./pglite.ts";
export { createPostgresAdapter, type PostgresOptions } from "./postgres.ts";
export { createSqliteAdapter, type SqliteOptions } from "./sqlite.ts";
export type { TableAdapter } from "./table-adapter.ts";
