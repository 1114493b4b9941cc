import { createSqliteFiles } from "@postern/kysely/tenants";
import { openDatabase } from "@postern/kysely/url";
import type { Databases } from "./databases.ts";

/** A SQLite file for each tenant, beside the first one: `postern.db`, `tenants/tenant-<id>.db`. */
export async function sqliteDatabases(folder: string): Promise<Databases> {
  const first = await openDatabase(`sqlite:${folder}/postern.db`);
  return { first, tenants: createSqliteFiles({ folder: `${folder}/tenants` }), close: () => first.close() };
}
