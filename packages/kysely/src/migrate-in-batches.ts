import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Dialect } from "./dialect.ts";
import { executedMigrations, statementsOf, type MigrationResult } from "./migrate.ts";
import { migrationTable } from "./names.ts";
import type { RunBatch } from "./runner.ts";

/**
 * Migrates a database without interactive transactions to the schema of this version. Each migration runs as one batch,
 * which also records the migration in the table of Kysely's Migrator. If several processes migrate at the same time,
 * the batch of one process succeeds, and the batches of the others fail without an effect.
 *
 * @throws if another tool runs the migration files and has not run all of them.
 */
export async function migrateInBatches(db: Kysely<unknown>, dialect: Dialect, runBatch: RunBatch): Promise<MigrationResult> {
  const done = new Set(await executedMigrations(db, dialect));
  const waiting = Object.entries(dialect.migrations).filter(([name]) => !done.has(name));
  if (waiting.length > 0) await refuseBesideFiles(db, dialect, waiting);
  const applied: string[] = [];
  for (const [name, text] of waiting) {
    const statements = [...record(name), ...statementsOf(text).map((statement) => sql.raw(statement))];
    try {
      await runBatch(statements.map((statement) => statement.compile(db)));
      applied.push(name);
    } catch (cause) {
      const isDoneByOther = dialect.classifyError(cause) === "conflict" && (await executedMigrations(db, dialect)).includes(name);
      if (!isDoneByOther) throw new Error(`Migration ${name} failed`, { cause });
    }
  }
  return { applied };
}

/**
 * Returns the statements that record a migration. They run first in the batch, so that the batch fails here if the
 * migration has already run.
 */
function record(name: string): RawBuilder<unknown>[] {
  const table = sql.id(migrationTable);
  return [
    sql`create table if not exists ${table} (name varchar(255) not null primary key, timestamp varchar(255) not null)`,
    sql`insert into ${table} (name, timestamp) values (${name}, ${new Date().toISOString()})`,
  ];
}

/**
 * Rejects if another tool also migrates this database. Otherwise each of the two would repeat the migrations that the
 * other has run.
 */
async function refuseBesideFiles(
  db: Kysely<unknown>,
  dialect: Dialect,
  waiting: readonly (readonly [name: string, text: string])[],
): Promise<void> {
  const columns = await dialect.columns(db);
  if (!columns.some(({ table }) => table === dialect.fileRecord)) return;
  const names = waiting.map(([name]) => name).join(", ");
  throw new Error(
    `Migration ${names} has not run, and wrangler migrates this database (it has the table ${dialect.fileRecord}): run wrangler d1 migrations apply`,
  );
}
