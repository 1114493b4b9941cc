import { sql, type Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Dialect } from "./dialect.ts";
import { migrationLockTable, migrationTable, tableRef } from "./names.ts";

/** The result of `migrate`. */
export interface MigrationResult {
  /** The names of the migrations that this call ran, in order. Empty if the database was up to date. */
  readonly applied: readonly string[];
}

/**
 * Migrates the database to the schema of this version. Any number of processes may call it at the same time.
 *
 * On SQLite, PostgreSQL and PGlite, all migrations run in one transaction. MySQL and MariaDB commit each statement on
 * its own, so a migration that was interrupted runs again. To make that safe, the first migration creates each table
 * `if not exists`, and each later migration has one statement.
 *
 * @param upTo the name of the last migration to run. Default: all migrations run.
 */
export async function migrate(db: Kysely<unknown>, dialect: Dialect, upTo?: string): Promise<MigrationResult> {
  // Usually there is nothing to migrate. Then no lock is taken, and the Migrator is not loaded.
  if (await isComplete(db, dialect)) return { applied: [] };
  if (dialect.isAlreadyApplied !== undefined) return runInTurn(db, dialect, upTo);
  return db.transaction().execute(async (transaction) => {
    await dialect.lockMigrations?.(transaction);
    const { error, applied } = await run(transaction, dialect, upTo);
    if (error !== undefined) throw error;
    return { applied };
  });
}

const maxAttempts = 10;

/**
 * Migrates with the lock of Kysely's Migrator (`get_lock`). Each server in a Galera cluster has a separate lock of this
 * name. So if another process migrates through another server, one of the two processes gets an error. That process
 * then runs the migrations that the other process has not run.
 */
async function runInTurn(db: Kysely<unknown>, dialect: Dialect, upTo: string | undefined): Promise<MigrationResult> {
  const applied: string[] = [];
  for (let attempt = 1; ; attempt++) {
    const result = await run(db, dialect, upTo);
    applied.push(...result.applied);
    if (result.error === undefined || (await isComplete(db, dialect))) return { applied };
    if (attempt === maxAttempts || !isConflict(dialect, result.error.cause)) throw result.error;
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400));
  }
}

/** Whether a migration failed because another process ran the same migration at the same time. */
function isConflict(dialect: Dialect, error: unknown): boolean {
  const errorClass = dialect.classifyError(error);
  return errorClass === "conflict" || errorClass === "retry" || dialect.isAlreadyApplied?.(error) === true;
}

async function isComplete(db: Kysely<unknown>, dialect: Dialect): Promise<boolean> {
  const done = await executedMigrations(db, dialect);
  return Object.keys(dialect.migrations).every((name) => done.includes(name));
}

async function run(
  db: Kysely<unknown>,
  dialect: Dialect,
  upTo: string | undefined,
): Promise<MigrationResult & { readonly error: Error | undefined }> {
  const known = migrations(dialect);
  // A newer version of Postern may have migrated this database. A process with this version ignores the newer
  // migrations, so that both versions can run at the same time.
  const newer = (await executedMigrations(db, dialect)).filter((name) => !Object.hasOwn(known, name));
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
  const applied = results.filter(({ status }) => status === "Success").map(({ migrationName }) => migrationName);
  if (error === undefined) return { applied, error };
  const failed = results.find(({ status }) => status === "Error");
  const message = failed === undefined ? "The database could not be migrated" : `Migration ${failed.migrationName} failed`;
  return { applied, error: new Error(message, { cause: error }) };
}

/**
 * Returns the names of the migrations that have not run. Returns undefined if the database contains no record of any
 * migration.
 */
export async function pendingMigrations(db: Kysely<unknown>, dialect: Dialect): Promise<string[] | undefined> {
  const done = new Set(await executedMigrations(db, dialect));
  return done.size === 0 ? undefined : Object.keys(dialect.migrations).filter((name) => !done.has(name));
}

/**
 * Returns the names of the migrations that have run, either by `migrate` or by a tool that runs the migration files.
 * @throws {Error} if an unreleased version created the database. Its tables differ from those of the first migration.
 */
export async function executedMigrations(db: Kysely<unknown>, dialect: Dialect): Promise<string[]> {
  const columns = await dialect.columns(db);
  const namesIn = async (record: string | undefined): Promise<string[]> => {
    if (record === undefined || !columns.some(({ table }) => table === record)) return [];
    const { rows } = await sql<{ name: string }>`select name from ${tableRef(record, dialect.schema)}`.execute(db);
    return rows.map(({ name }) => name);
  };
  const files = await namesIn(dialect.fileRecord);
  const names = [...(await namesIn(migrationTable)), ...files.map((name) => name.replace(/\.sql$/, ""))];
  if (names.includes(unreleased)) throw new Error(createdByUnreleased);
  return names;
}

/** The second migration of all versions before the first release. */
const unreleased = "0002_former_name";

const createdByUnreleased =
  "This database was created by an unreleased version of Postern: create it again, or export the data with that version and import it";

function migrations(dialect: Dialect): { [name: string]: Migration } {
  return Object.fromEntries(
    Object.entries(dialect.migrations).map(([name, text]) => [
      name,
      {
        up: async (db: Kysely<unknown>): Promise<void> => {
          // The SQL files do not name a schema. `set local` ends with the transaction, so the host's own statements are
          // not affected.
          if (dialect.schema !== undefined) await sql`set local search_path to ${sql.id(dialect.schema)}`.execute(db);
          for (const statement of statementsOf(text)) {
            await sql
              .raw(statement)
              .execute(db)
              .catch((error: unknown) => {
                if (dialect.isAlreadyApplied?.(error) !== true) throw error;
              });
          }
        },
      },
    ]),
  );
}

/**
 * Splits a migration into statements. A statement ends with a semicolon at the end of a line. Lines that start with
 * `--` are comments.
 */
export function statementsOf(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("--"))
    .join("\n")
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
