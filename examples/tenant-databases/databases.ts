import type { SqlAdapter } from "@postern/kysely";
import type { TenantDatabases } from "@postern/kysely/tenants";
import { postgresDatabases } from "./postgres.ts";
import { sqliteDatabases } from "./sqlite.ts";

/** Where everything is kept. */
export interface Databases {
  /** Tenants, the directory, operations, and what belongs to the control plane. */
  readonly first: SqlAdapter;
  /** Everything else of each tenant. */
  readonly tenants: TenantDatabases;
  /** Closes the first one, and the pool that all share. */
  close(): Promise<void>;
}

/** `postgres://…`, or a folder for files of SQLite. */
export async function openDatabases(address: string): Promise<Databases> {
  return /^postgres(ql)?:/.test(address) ? postgresDatabases(address) : sqliteDatabases(address);
}
