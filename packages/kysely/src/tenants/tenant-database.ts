import type { SqlAdapter } from "../adapter.ts";
import type { MigrationResult } from "../migrate.ts";

/** A database for each tenant: what core's `databaseIsolation` asks of a host. */
export interface TenantDatabases {
  /** Opens a tenant's database. Closing the adapter closes what was opened here. @throws where the tenant has none: it is never made by opening it. */
  open(tenantId: string): Promise<SqlAdapter>;
  /** Makes a tenant's database with its tables, or brings the tables to what this version needs. Repeating it does nothing, and any number of processes may call it at once. */
  provision(tenantId: string): Promise<MigrationResult>;
  /** Removes a tenant's database with all that is in it. Repeating it does nothing. */
  drop(tenantId: string): Promise<void>;
}

/** Tenant ids end up in the names of files and schemas. @throws {TypeError} for what cannot be one. */
export function assertTenantId(tenantId: string): void {
  if (typeof tenantId !== "string" || !/^[a-z0-9][a-z0-9_-]{0,62}$/.test(tenantId)) throw new TypeError("that is no tenant id");
}
