import { createHash } from "node:crypto";
import {
  PGliteDialect,
  PostgresAdapter,
  PostgresDialect,
  sql,
  type DatabaseIntrospector,
  type DialectAdapter,
  type Kysely,
  type MigrationLockOptions,
  type PGliteDialectConfig,
  type PostgresDialectConfig,
} from "kysely";
import { migrationLockTable, migrationTable } from "../names.ts";

/** Kysely's dialect for one schema, or for where the connection looks: its Migrator sees no other, and waits for nobody who migrates another. */
export class SchemaDialect extends PostgresDialect {
  readonly #schema: string | undefined;

  constructor(config: PostgresDialectConfig, schema: string | undefined) {
    super(config);
    this.#schema = schema;
  }

  override createAdapter(): DialectAdapter {
    return new SchemaLockingAdapter();
  }

  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new MigrationTables(db, this.#schema);
  }
}

/** The same for PGlite, which has one connection and needs no lock. */
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
 * What the Migrator asks of a database: whether the schema is there, and its own two tables in it. Kysely's answers with every column of every table of every
 * schema, and takes those of another schema for its own where it is given none.
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

/** A lock of each schema's own. Kysely's is one for the whole database: schemas would be migrated one after another. */
class SchemaLockingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    if (options.lockTableSchema === undefined) return super.acquireMigrationLock(db, options);
    await sql`select pg_catalog.pg_advisory_lock(${lockOf(options.lockTableSchema)}::bigint)`.execute(db);
  }

  override async releaseMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    if (options.lockTableSchema === undefined) return super.releaseMigrationLock(db, options);
    await sql`select pg_catalog.pg_advisory_unlock(${lockOf(options.lockTableSchema)}::bigint)`.execute(db);
  }
}

/** The number of a schema's lock. Two that share a number wait for each other, and nothing worse. */
const lockOf = (schema: string): string => createHash("sha256").update(`postern ${schema}`).digest().readBigInt64BE().toString();
