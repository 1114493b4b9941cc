import type { CollectionDescription } from "@postern/core/adapter";
import { sql, type RawBuilder } from "kysely";

/** Stands before every table and index, because a host's own database may well have a table `users`. */
export const prefix = "postern_";

/** The table of a collection. */
export const tableName = (description: Pick<CollectionDescription, "name">): string => prefix + description.name;

/** A table as SQL, in its schema where it has one. */
export const tableRef = (name: string, schema: string | undefined): RawBuilder<unknown> =>
  schema === undefined ? sql.id(name) : sql.id(schema, name);

/** The tables in which Kysely's Migrator remembers what has run. */
export const migrationTable = `${prefix}migration`;
export const migrationLockTable = `${prefix}migration_lock`;

/** The table in which wrangler is to remember what it has run on D1: the `migrations_table` of its configuration. */
export const wranglerTable = `${prefix}d1_migrations`;
