import { createPostgresAdapter } from "@postern/kysely";
import { createPostgresSchemas } from "@postern/kysely/tenants";
import pg from "pg";
import type { Databases } from "./databases.ts";

/** A PostgreSQL schema for each tenant, `tenant_<id>`, beside the first one, `public`: one database, and one pool for all. */
export function postgresDatabases(connectionString: string): Databases {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 10_000 });
  // A connection lost while idle is replaced when it is next needed; without a listener the event would end the process.
  pool.on("error", () => {});
  const first = createPostgresAdapter({ pool, closes: true });
  return { first, tenants: createPostgresSchemas({ pool }), close: () => first.close() };
}
