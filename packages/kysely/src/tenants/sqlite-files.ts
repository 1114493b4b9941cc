import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SqlAdapter } from "../adapter.ts";
import { openSqliteFile } from "../drivers/load.ts";
import { createSqliteAdapter } from "../sqlite.ts";
import { assertTenantId, type TenantDatabases } from "./tenant-database.ts";

/** Options of {@link createSqliteFiles}. */
export interface SqliteFilesOptions {
  /** Where the files are: one a tenant, `tenant-<id>.db`. It is made with the first of them. */
  readonly folder: string;
}

/**
 * A SQLite file for each tenant.
 *
 * @example
 * const tenants = createSqliteFiles({ folder: "./data/tenants" });
 */
export function createSqliteFiles({ folder }: SqliteFilesOptions): TenantDatabases {
  const fileOf = (tenantId: string): string => {
    assertTenantId(tenantId);
    return join(folder, `tenant-${tenantId}.db`);
  };
  const open = async (tenantId: string, mustExist: boolean): Promise<SqlAdapter> =>
    createSqliteAdapter({ database: await openSqliteFile(fileOf(tenantId), { mustExist }), closes: true });
  return {
    open: (tenantId) => open(tenantId, true),
    async provision(tenantId) {
      mkdirSync(folder, { recursive: true });
      const adapter = await open(tenantId, false);
      try {
        return await adapter.migrate();
      } finally {
        await adapter.close();
      }
    },
    async drop(tenantId) {
      const file = fileOf(tenantId);
      // The data goes first. SQLite replays none of what lies beside a new file.
      for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) await rm(each, { force: true });
    },
  };
}
