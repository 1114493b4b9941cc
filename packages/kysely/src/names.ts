import type { CollectionDescription } from "@postern/core/adapter";
import { sql, type RawBuilder } from "kysely";

/** The prefix of the name of every table and index. The host's database may already have a table `users`. */
export const prefix = "postern_";

/** Returns the name of a collection's table. */
export const tableName = (description: Pick<CollectionDescription, "name">): string => prefix + description.name;

/** Returns the SQL of a table name, with its schema if there is one. */
export const tableRef = (name: string, schema: string | undefined): RawBuilder<unknown> =>
  schema === undefined ? sql.id(name) : sql.id(schema, name);

/** The table in which Kysely's Migrator records the migrations that have run. */
export const migrationTable = `${prefix}migration`;
export const migrationLockTable = `${prefix}migration_lock`;

/**
 * The table in which wrangler records the migrations that have run on D1. Its name must be the `migrations_table` in
 * wrangler's configuration.
 */
export const wranglerTable = `${prefix}d1_migrations`;
