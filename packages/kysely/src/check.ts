import { schema, storedFields } from "@postern/core";
import type { Kysely } from "kysely";
import type { Dialect } from "./dialect.ts";
import { pending } from "./migrate.ts";
import { tableName } from "./names.ts";

/**
 * Compares the tables with core's descriptions.
 * @throws with the names of what is missing, and of server settings that would make answers wrong.
 */
export async function check(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of await dialect.columns(db)) {
    const columns = tables.get(table);
    if (columns === undefined) tables.set(table, new Set([column]));
    else columns.add(column);
  }
  const missing: string[] = [];
  for (const description of Object.values(schema)) {
    const table = tableName(description);
    const columns = tables.get(table);
    if (columns === undefined) missing.push(`table ${table}`);
    else for (const name of Object.keys(storedFields(description))) if (!columns.has(name)) missing.push(`column ${table}.${name}`);
  }
  if (missing.length > 0) throw new Error(`${listed(missing)} missing in the database: ${advice}`);
  // Columns may all be there while a unique key or an index is not.
  const waiting = (await pending(db, dialect)) ?? [];
  if (waiting.length > 0) throw new Error(`Migration ${waiting.join(", ")} has not run: ${advice}`);
  const complaints = (await dialect.complaints?.(db)) ?? [];
  if (complaints.length > 0) throw new Error(complaints.join(" "));
}

const advice = "run migrate() of the @postern/kysely adapter, then start again";

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more are` : `${shown} ${names.length === 1 ? "is" : "are"}`;
}
