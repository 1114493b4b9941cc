import { sql, type Kysely } from "kysely";
import type { Dialect } from "./dialect.ts";
import { pendingMigrations } from "./migrate.ts";
import type { SqlTable } from "./table.ts";

/**
 * Compares the tables with core's descriptions.
 * @throws an error that names missing tables, columns or migrations, or server settings that would make results wrong.
 */
export async function check(db: Kysely<unknown>, dialect: Dialect, expected: readonly SqlTable[]): Promise<void> {
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of await dialect.columns(db)) {
    const columns = tables.get(table);
    if (columns === undefined) tables.set(table, new Set([column]));
    else columns.add(column);
  }
  const missing: string[] = [];
  for (const table of expected) {
    if (table.isHostTable) continue;
    const columns = tables.get(table.name);
    if (columns === undefined) missing.push(`table ${table.name}`);
    else for (const { name } of table.columns) if (!columns.has(name)) missing.push(`column ${table.name}.${name}`);
  }
  const waiting = (await pendingMigrations(db, dialect)) ?? [];
  if (missing.length > 0) throw new Error(`${listed(missing)} missing in the database: ${advice}`);
  for (const table of expected) if (table.isHostTable) await checkOwn(db, table);
  // All columns may exist although a unique key or an index is missing.
  if (waiting.length > 0) throw new Error(`Migration ${waiting.join(", ")} has not run: ${advice}`);
  const complaints = (await dialect.settingProblems?.(db)) ?? [];
  if (complaints.length > 0) throw new Error(complaints.join(" "));
}

/** Checks a host table. The error contains the message from the database. */
async function checkOwn(db: Kysely<unknown>, table: SqlTable): Promise<void> {
  await sql`select ${table.inserted} from ${table.ref} where 1 = 0`.execute(db).catch((cause: unknown) => {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The table ${table.name} cannot hold its collection: ${said}`, { cause });
  });
}

const advice = "run migrate() of the @postern/kysely adapter, then start again";

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more are` : `${shown} ${names.length === 1 ? "is" : "are"}`;
}
