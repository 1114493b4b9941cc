import type { SqlAdapter } from "@postern/kysely";
import type { TenantDatabases } from "@postern/kysely/tenants";
import { postgresDatabases } from "./postgres.ts";
import { sqliteDatabases } from "./sqlite.ts";

/** The databases of the service. */
export interface Databases {
  /** The first database: the list of tenants, the directory, the operations, and the data of the control plane. */
  readonly first: SqlAdapter;
  /** The databases with all other data of each tenant. */
  readonly tenants: TenantDatabases;
  /** Closes the first database and the shared pool. */
  close(): Promise<void>;
}

/** Opens the databases. @param address a URL such as `postgres://…`, or a folder for SQLite files. */
export async function openDatabases(address: string): Promise<Databases> {
  return /^postgres(ql)?:/.test(address) ? postgresDatabases(address) : sqliteDatabases(address);
}
