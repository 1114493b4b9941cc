import {
  PGliteDialect,
  PostgresAdapter,
  PostgresDialect,
  sql,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Kysely,
  type PGliteDialectConfig,
  type PostgresDialectConfig,
} from "kysely";
import { migrationLockTable, migrationTable } from "../names.ts";

/**
 * Kysely's dialect for PostgreSQL, limited to one schema or to the `search_path`. Its Migrator reads and locks only
 * that schema.
 */
export class SchemaDialect extends PostgresDialect {
  readonly #schema: string | undefined;

  constructor(config: PostgresDialectConfig, schema: string | undefined) {
    super(config);
    this.#schema = schema;
  }

  override createAdapter(): DialectAdapter {
    return new UnlockedAdapter();
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new MigrationTables(db, this.#schema);
  }
}

/** Kysely's dialect for PGlite, limited in the same way as {@link SchemaDialect}. */
export class PGliteSchemaDialect extends PGliteDialect {
  readonly #schema: string | undefined;

  constructor(config: PGliteDialectConfig, schema: string | undefined) {
    super(config);
    this.#schema = schema;
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new MigrationTables(db, this.#schema);
  }
}

/**
 * Tells the Migrator whether the schema exists, and whether the Migrator's two tables exist in the schema. Kysely's own
 * introspector returns the columns of all schemas. Without a schema name, it mistakes tables in other schemas for the
 * Migrator's own.
 */
class MigrationTables implements DatabaseIntrospector {
  readonly #db: Kysely<unknown>;
  readonly #schema: string | undefined;

  constructor(db: Kysely<unknown>, schema: string | undefined) {
    this.#db = db;
    this.#schema = schema;
  }

  async getSchemas(): Promise<{ readonly name: string }[]> {
    const { rows } = await sql<{ name: string }>`
      select nspname::text as name from pg_catalog.pg_namespace where nspname = ${this.#schema}`.execute(this.#db);
    return rows;
  }

  async getTables(): ReturnType<DatabaseIntrospector["getTables"]> {
    const place = this.#schema === undefined ? sql`pg_catalog.pg_table_is_visible(c.oid)` : sql`n.nspname = ${this.#schema}`;
    const { rows } = await sql<{ name: string; schema: string }>`
      select c.relname::text as name, n.nspname::text as schema from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and c.relname in (${migrationTable}, ${migrationLockTable}) and ${place}`.execute(this.#db);
    return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }));
  }
}

/**
 * Takes no lock. `migrate` takes a lock before the Migrator creates its tables, and holds it until the end of the
 * transaction.
 */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
