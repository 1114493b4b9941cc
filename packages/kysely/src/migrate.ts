import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Dialect } from "./dialect.ts";
import { migrationLockTable, migrationTable, tableRef } from "./names.ts";

/** What a call of `migrate` did. */
export interface Migrated {
  /** The names of the migrations that ran now, in their order; empty when there was nothing to do. */
  readonly applied: readonly string[];
}

/**
 * Brings the database to what this version needs. Any number of processes may call it at once.
 *
 * On SQLite, PostgreSQL and PGlite all of it is one transaction. MySQL and MariaDB commit each statement by itself, so there a migration must
 * bear to be repeated after it broke off: the first creates each table `if not exists`, its indexes with it; later ones hold one statement each.
 *
 * @param upTo the last migration to run, by name.
 */
export async function migrate(db: Kysely<unknown>, dialect: Dialect, upTo?: string): Promise<Migrated> {
  const known = migrations(dialect);
  const done = await executed(db, dialect);
  // Most starts find everything in place: no lock to take, and nothing of the migrator to load.
  if (Object.keys(known).every((name) => done.includes(name))) return { applied: [] };
  // A newer version may have been here. Its migrations are no business of ours, and an older process must be able to start beside it.
  const newer = done.filter((name) => !Object.hasOwn(known, name));
  const all = { ...known, ...Object.fromEntries(newer.map((name): [string, Migration] => [name, { up: async () => {} }])) };
  const { Migrator } = await import("kysely/migration");
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableName: migrationTable,
    migrationLockTableName: migrationLockTable,
    ...(dialect.schema !== undefined && { migrationTableSchema: dialect.schema }),
  });
  const { error, results = [] } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error !== undefined) {
    const failed = results.find(({ status }) => status === "Error");
    throw new Error(failed === undefined ? "The database could not be migrated" : `Migration ${failed.migrationName} failed`, {
      cause: error,
    });
  }
  return { applied: results.filter(({ status }) => status === "Success").map(({ migrationName }) => migrationName) };
}

/** The migrations that this version knows and that have not run; undefined where there is no record of any. */
export async function pending(db: Kysely<unknown>, dialect: Dialect): Promise<string[] | undefined> {
  const done = new Set(await executed(db, dialect));
  return done.size === 0 ? undefined : Object.keys(dialect.migrations).filter((name) => !done.has(name));
}

/** The names of the migrations that have run: by `migrate`, or by a tool that runs the files. */
export async function executed(db: Kysely<unknown>, dialect: Dialect): Promise<string[]> {
  const columns = await dialect.columns(db);
  const namesIn = async (record: string | undefined): Promise<string[]> => {
    if (record === undefined || !columns.some(({ table }) => table === record)) return [];
    const { rows } = await sql<{ name: string }>`select name from ${tableRef(record, dialect.schema)}`.execute(db);
    return rows.map(({ name }) => name);
  };
  const files = await namesIn(dialect.fileRecord);
  return [...(await namesIn(migrationTable)), ...files.map((name) => name.replace(/\.sql$/, ""))];
}

function migrations(dialect: Dialect): { [name: string]: Migration } {
  return Object.fromEntries(
    Object.entries(dialect.migrations).map(([name, text]) => [
      name,
      {
        up: async (db: Kysely<unknown>): Promise<void> => {
          // The texts name no schema. This ends with the transaction, so that the host's own statements never see it.
          if (dialect.schema !== undefined) await sql`set local search_path to ${sql.id(dialect.schema)}`.execute(db);
          for (const statement of statementsOf(text)) {
            await sql
              .raw(statement)
              .execute(db)
              .catch((error: unknown) => {
                if (dialect.hasTakenEffect?.(error) !== true) throw error;
              });
          }
        },
      },
    ]),
  );
}

/** The statements of a migration: each ends in a semicolon at the end of a line; lines that begin with `--` are comments. */
export function statementsOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("--"))
    .join("\n")
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
