import type { CollectionDescription } from "@postern/core";

/** Stands before every table and index, because a host's own database may well have a table `users`. */
export const prefix = "postern_";

/** The table of a collection. */
export const tableName = (description: Pick<CollectionDescription, "name">): string => prefix + description.name;

/** The tables in which Kysely's Migrator remembers what has run. */
export const migrationTable = `${prefix}migration`;
export const migrationLockTable = `${prefix}migration_lock`;
