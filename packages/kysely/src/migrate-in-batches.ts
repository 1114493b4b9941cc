import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Dialect } from "./dialect.ts";
import { executed, statementsOf, type Migrated } from "./migrate.ts";
import { migrationTable } from "./names.ts";
import type { RunTogether } from "./runner.ts";

/**
 * Brings a database without open transactions to what this version needs: each migration in one batch with its row in the table where Kysely's Migrator would look for it. Of several that
 * run at once one writes that row, and the batches of the others change nothing.
 *
 * @throws where another tool runs the files, and has not run all of them.
 */
export async function migrateInBatches(db: Kysely<unknown>, dialect: Dialect, together: RunTogether): Promise<Migrated> {
  const done = new Set(await executed(db, dialect));
  const waiting = Object.entries(dialect.migrations).filter(([name]) => !done.has(name));
  if (waiting.length > 0) await refuseBesideFiles(db, dialect, waiting);
  const applied: string[] = [];
  for (const [name, text] of waiting) {
    const statements = [...record(name), ...statementsOf(text).map((statement) => sql.raw(statement))];
    try {
      await together(statements.map((statement) => statement.compile(db)));
      applied.push(name);
    } catch (cause) {
      const byAnother = dialect.fault(cause) === "conflict" && (await executed(db, dialect)).includes(name);
      if (!byAnother) throw new Error(`Migration ${name} failed`, { cause });
    }
  }
  return { applied };
}

/** First, so that a migration that has run fails here, before anything else of it. */
function record(name: string): RawBuilder<unknown>[] {
  const table = sql.id(migrationTable);
  return [
    sql`create table if not exists ${table} (name varchar(255) not null primary key, timestamp varchar(255) not null)`,
    sql`insert into ${table} (name, timestamp) values (${name}, ${new Date().toISOString()})`,
  ];
}

/** Two that migrate one database would each run what the other one has. */
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
