import { mkdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SqlAdapter } from "../adapter.ts";
import { openSqliteFile } from "../drivers/load.ts";
import { createSqliteAdapter } from "../sqlite.ts";
import { assertTenantId, type TenantDatabases } from "./tenant-database.ts";

/** Options of {@link createSqliteFiles}. */
export interface SqliteFilesOptions {
  /** The folder that contains the files `tenant-<id>.db`. It is created with the first file. */
  readonly folder: string;
}

/**
 * Stores each tenant in a separate SQLite file.
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
      // The database file is removed first. If the process ends after that, SQLite does not replay the leftover log
      // into a new file.
      for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) await rm(each, { force: true });
    },
  };
}
