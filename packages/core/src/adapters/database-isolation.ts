import type { DataAdapter } from "../store/contract.ts";
import type { ReportStep } from "./tenant-hooks.ts";

/**
 * A database for each tenant (spec section 4.10, `databaseIsolation`). Tenants, the directory, operations and the control plane stay in the first database,
 * the one in `data`; everything else of a tenant is in its own.
 */
export interface DatabaseIsolation {
  /**
   * Opens the database of a tenant: called when something is asked of it, and again after it was closed, so it answers with an adapter that is open, and nobody else closes.
   * `undefined`, and `data` itself, leave the tenant in the first database.
   * Its tables must be there: `onProvision` makes them. It must understand the searches that the first does (`filters`). Its `check` is called, and the secret is tried on what is sealed in it.
   * A throw, or no answer within 10 s, is a 503 for this tenant alone; a second later it is tried again.
   */
  getAdapters(tenantId: string): DataAdapter | undefined | Promise<DataAdapter | undefined>;
  /**
   * Makes what the tenant needs before its first record, such as its database with its tables. Called when the tenant is created, and by an upgrade:
   * it adds what is missing and changes nothing else. What it reports stands in the history of the operation. A throw undoes the creation. It may take 5 minutes.
   */
  onProvision?(tenantId: string, reportStep?: ReportStep): void | Promise<void>;
  /** Removes what `onProvision` made, where it is there: also after a creation that failed half-way. A throw is tried again later. It may take 5 minutes. */
  onDeprovision?(tenantId: string, reportStep?: ReportStep): void | Promise<void>;
  /** Whether creations and removals are operations with a history (`/tenants/{id}/operations`). Default true. */
  readonly recordProvisionOperations?: boolean;
  /** Databases that stay open; what was asked longest ago is closed first. More are open only while more are being asked at the same moment. Default 100. */
  readonly maxOpen?: number;
  /** Seconds after which a database that nobody asks anything is closed: by the next question to any of them, or by `sweep`. Default 300. */
  readonly idleSeconds?: number;
}
