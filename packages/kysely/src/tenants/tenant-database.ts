import type { SqlAdapter } from "../adapter.ts";
import type { MigrationResult } from "../migrate.ts";

/** A database for each tenant, in the form that core's `databaseIsolation` option requires. */
export interface TenantDatabases {
  /**
   * Opens a tenant's database. Closing the adapter closes the connections that were opened here.
   * @throws if the tenant has no database.
   */
  open(tenantId: string): Promise<SqlAdapter>;
  /**
   * Creates a tenant's database and its tables, or migrates them. Idempotent. Several processes may call it at once.
   */
  provision(tenantId: string): Promise<MigrationResult>;
  /** Deletes a tenant's database with all its data. Idempotent. */
  drop(tenantId: string): Promise<void>;
}

/** Validates a tenant id, which becomes part of a file or schema name. @throws {TypeError} if it is not a valid id. */
export function assertTenantId(tenantId: string): void {
  if (typeof tenantId !== "string" || !/^[a-z0-9][a-z0-9_-]{0,62}$/.test(tenantId)) throw new TypeError("that is no tenant id");
}
