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

/** Kysely's dialect limited to one schema or to the `search_path`. Its Migrator reads and locks only that schema. */
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

/** The same for PGlite. */
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
 * Answers the Migrator's queries: whether the schema exists, and whether its two tables exist there. Kysely's own
 * introspector returns all columns of all schemas, and without a schema name it mistakes another schema's tables for
 * its own.
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

/** Takes no lock: `migrate` holds one before the Migrator creates its tables, and for as long as its transaction. */
class UnlockedAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
