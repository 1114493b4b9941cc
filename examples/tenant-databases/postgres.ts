import { createPostgresAdapter } from "@postern/kysely";
import { createPostgresSchemas } from "@postern/kysely/tenants";
import pg from "pg";
import type { Databases } from "./databases.ts";

/**
 * Opens one PostgreSQL schema per tenant, `tenant_<id>`, in addition to the schema `public`. All schemas share one
 * database and one connection pool.
 */
export function postgresDatabases(connectionString: string): Databases {
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 10_000 });
  // The pool replaces an idle connection that was lost. Without a listener, the error event would end the process.
  pool.on("error", () => {});
  const first = createPostgresAdapter({ pool, closes: true });
  return { first, tenants: createPostgresSchemas({ pool }), close: () => first.close() };
}
