import type { DataAdapter } from "@postern/core/adapter";
import type { MigrationResult } from "./migrate.ts";

/** An adapter that stores Postern's data in tables that it creates. */
export interface TableAdapter extends DataAdapter {
  /** Creates or migrates the tables. Idempotent. Several processes may call it at the same time. */
  migrate(): Promise<MigrationResult>;
  /** Returns the names of the migrations that `migrate` would run, in order. Changes nothing. */
  pending(): Promise<readonly string[]>;
  /**
   * Compares the tables with the schema of this version. Postern calls it at startup.
   * @throws an error that names the missing table, column or migration.
   */
  check(): Promise<void>;
  /** Closes the connections that the adapter opened. The host's connections stay open. */
  close(): Promise<void>;
}
