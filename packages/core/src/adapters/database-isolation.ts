import type { DataAdapter } from "../store/contract.ts";
import type { ReportStep } from "./tenant-hooks.ts";

/**
 * Stores each tenant in a separate database (docs/tenant-databases.md). The rows of the tenants
 * themselves, the directory, operations and the control plane stay in the main database, which is the one in `data`.
 * All other data of a tenant is in the tenant's database.
 */
export interface DatabaseIsolation {
  /**
   * Returns an open adapter for a tenant's database. Called on first use, and again after the database was closed.
   * Postern closes the adapter.
   *
   * - To leave the tenant in the main database, return `undefined` or the adapter in `data`.
   * - The tables must exist: create them in `onProvision`.
   * - The adapter must support `filters` if the main adapter does.
   * - Postern calls the adapter's `check` and verifies that it can decrypt the stored secrets.
   *
   * After a rejection, or if there is no result within 10 s, requests to this tenant fail with 503. Postern calls
   * `getAdapters` again on the first request that arrives at least one second later.
   */
  getAdapters(tenantId: string): DataAdapter | undefined | Promise<DataAdapter | undefined>;
  /**
   * Creates what the tenant needs before its first row, such as a database with tables. Called when a tenant is created
   * and when it is upgraded, so it must add what is missing and leave the rest unchanged. Reported steps appear in the
   * history of the operation. A rejection during the creation of a tenant reverts the creation. The timeout is 5
   * minutes.
   */
  onProvision?(tenantId: string, reportStep?: ReportStep): void | Promise<void>;
  /**
   * Removes what `onProvision` created, and tolerates missing parts: it is also called after a creation that failed
   * halfway. After a rejection, Postern calls it again later. The timeout is 5 minutes.
   */
  onDeprovision?(tenantId: string, reportStep?: ReportStep): void | Promise<void>;
  /**
   * Whether creating and deleting a tenant are recorded as operations with a history (`/tenants/{id}/operations`).
   * Default: true.
   */
  readonly recordProvisionOperations?: boolean;
  /**
   * Maximum number of open databases. When another database is opened, the least recently used one is closed first. The
   * number exceeds the maximum only while more databases are in use at the same time. Default: 100.
   */
  readonly maxOpen?: number;
  /**
   * Seconds after which an unused database is closed. The next call to any tenant database, or the next `sweep`, closes
   * it. Default: 300.
   */
  readonly idleSeconds?: number;
}
