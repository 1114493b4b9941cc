import { createSqliteFiles } from "@postern/kysely/tenants";
import { openDatabase } from "@postern/kysely/url";
import type { Databases } from "./databases.ts";

/** Opens one SQLite file per tenant, `tenants/tenant-<id>.db`, in addition to the file `postern.db`. */
export async function sqliteDatabases(folder: string): Promise<Databases> {
  const first = await openDatabase(`sqlite:${folder}/postern.db`);
  return { first, tenants: createSqliteFiles({ folder: `${folder}/tenants` }), close: () => first.close() };
}
