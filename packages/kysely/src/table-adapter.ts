import type { DataAdapter } from "@postern/core/adapter";
import type { MigrationResult } from "./migrate.ts";

/** Postern's data in tables that the adapter makes. */
export interface TableAdapter extends DataAdapter {
  /** Creates or upgrades the tables. Repeating it does nothing, and any number of processes may call it at once. */
  migrate(): Promise<MigrationResult>;
  /** The names of the migrations that `migrate` would run now, in their order. Changes nothing. */
  pending(): Promise<readonly string[]>;
  /**
   * Compares the tables with what this version needs. Postern calls it at start.
   * @throws with the name of the missing table or column.
   */
  check(): Promise<void>;
  /** Releases the connections that the adapter opened itself; those that the host handed in stay open. */
  close(): Promise<void>;
}
