import { migrateTenants } from "@postern/kysely/tenants";
import type { Databases } from "./databases.ts";
import { controlPlaneId } from "./service.ts";

/**
 * Migrates the first database and the databases of all tenants to the schema of this version, and prints the progress.
 * It can be stopped at any time and run again.
 * @returns the exit code: 1 if a database failed. The other databases are still migrated.
 */
export async function migrateAll({ first, tenants }: Databases, print: (line: string) => void): Promise<0 | 1> {
  const { applied } = await first.migrate();
  print(`first database: ${applied.join(", ") || "up to date"}`);
  const { migrated, upToDate, failed } = await migrateTenants({
    data: first,
    open: (tenantId) => tenants.open(tenantId),
    controlPlaneId,
    onProgress({ tenantId, applied: names, error, done, total }) {
      if (error !== undefined) print(`${done}/${total} ${tenantId}: FAILED, ${reason(error)}`);
      else if (names.length > 0 || done % 100 === 0 || done === total)
        print(`${done}/${total} ${tenantId}: ${names.join(", ") || "up to date"}`);
    },
  });
  print(`${migrated} migrated, ${upToDate} up to date, ${failed.length} failed`);
  for (const { tenantId, error } of failed) print(`failed: ${tenantId}, ${reason(error)}`);
  return failed.length === 0 ? 0 : 1;
}

const reason = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reason(error.cause)}`;
};
