import type { CollectionDescription } from "@postern/core/adapter";
import { sql, type RawBuilder } from "kysely";

/** The prefix of every table and index, because the host's database may have its own table `users`. */
export const prefix = "postern_";

/** Returns the table name of a collection. */
export const tableName = (description: Pick<CollectionDescription, "name">): string => prefix + description.name;

/** Returns the SQL of a table name, with its schema if there is one. */
export const tableRef = (name: string, schema: string | undefined): RawBuilder<unknown> =>
  schema === undefined ? sql.id(name) : sql.id(schema, name);

/** The tables in which Kysely's Migrator records migrations. */
export const migrationTable = `${prefix}migration`;
export const migrationLockTable = `${prefix}migration_lock`;

/**
 * The table in which wrangler records migrations on D1. It must be the `migrations_table` of wrangler's configuration.
 */
export const wranglerTable = `${prefix}d1_migrations`;
