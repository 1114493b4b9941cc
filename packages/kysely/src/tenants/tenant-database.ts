import type { SqlAdapter } from "../adapter.ts";
import type { MigrationResult } from "../migrate.ts";

/** Manages a separate database for each tenant. The functions fit core's `databaseIsolation` option. */
export interface TenantDatabases {
  /**
   * Opens a tenant's database. Closing the returned adapter closes the connections that `open` created.
   * @throws if the tenant has no database.
   */
  open(tenantId: string): Promise<SqlAdapter>;
  /**
   * Creates a tenant's database and its tables, or migrates them. Idempotent. Several processes may call it at the same
   * time.
   */
  provision(tenantId: string): Promise<MigrationResult>;
  /** Deletes a tenant's database with all its data. Idempotent. */
  drop(tenantId: string): Promise<void>;
}

/** Validates a tenant id, which becomes part of a file or schema name. @throws {TypeError} if the id is not valid. */
export function assertTenantId(tenantId: string): void {
  if (typeof tenantId !== "string" || !/^[a-z0-9][a-z0-9_-]{0,62}$/.test(tenantId)) throw new TypeError("the tenant id is invalid");
}
