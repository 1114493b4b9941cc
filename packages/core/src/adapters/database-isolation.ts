import type { DataAdapter } from "../store/contract.ts";
import type { ReportStep } from "./tenant-hooks.ts";

/**
 * One database per tenant (spec section 4.10, `databaseIsolation`). Tenants, the directory, operations and the control
 * plane stay in the main database, the one in `data`. All other data of a tenant is in the tenant's database.
 */
export interface DatabaseIsolation {
  /**
   * Returns an open adapter for a tenant's database. Called on first use, and again after the database was closed.
   * Postern closes the adapter.
   *
   * - `undefined`, or the adapter in `data`, leaves the tenant in the main database.
   * - The tables must exist: create them in `onProvision`.
   * - The adapter must support `filters` if the main one does.
   * - Postern calls the adapter's `check` and verifies that it can decrypt the stored secrets.
   *
   * After a rejection, or no result within 10 s, requests of this tenant fail with 503. The first call after one second
   * tries again.
   */
  getAdapters(tenantId: string): DataAdapter | undefined | Promise<DataAdapter | undefined>;
  /**
   * Creates what the tenant needs before its first row, such as a database with tables. Called when the tenant is
   * created, and by an upgrade, so it must add what is missing and leave the rest unchanged. Reported steps appear in
   * the history of the operation. A rejection reverts the creation of the tenant. The timeout is 5 minutes.
   */
  onProvision?(tenantId: string, reportStep?: ReportStep): void | Promise<void>;
  /**
   * Removes what `onProvision` created, as far as it exists. Also called after a creation that failed halfway. Retried
   * later after a rejection. The timeout is 5 minutes.
   */
  onDeprovision?(tenantId: string, reportStep?: ReportStep): void | Promise<void>;
  /**
   * Whether creating and deleting a tenant are recorded as operations with a history (`/tenants/{id}/operations`).
   * Default: true.
   */
  readonly recordProvisionOperations?: boolean;
  /**
   * Maximum number of open databases. The least recently used one is closed first. The limit is exceeded only while
   * more databases are in use at the same time. Default: 100.
   */
  readonly maxOpen?: number;
  /**
   * Seconds after which an unused database is closed, by the next call to any tenant database or by `sweep`. Default:
   * 300.
   */
  readonly idleSeconds?: number;
}
