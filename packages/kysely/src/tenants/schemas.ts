import { createHash } from "node:crypto";
import { Kysely, sql, type Dialect, type PGlite } from "kysely";
import type { SqlAdapter } from "../adapter.ts";
import { pgliteDialect } from "../drivers/pglite.ts";
import { postgresDialect, type PgPool } from "../drivers/postgres.ts";
import { createPGliteAdapter } from "../pglite.ts";
import { createPostgresAdapter } from "../postgres.ts";
import { assertTenantId, type TenantDatabases } from "./tenant-database.ts";

/** Options of {@link createPostgresSchemas}. */
export interface PostgresSchemasOptions {
  /** A `Pool` from pg that all tenants share. It belongs to the host, and Postern does not close it. */
  readonly pool: PgPool;
}

/**
 * Stores each tenant in a separate PostgreSQL schema. All schemas are in one database and use one pool.
 *
 * @example
 * const tenants = createPostgresSchemas({ pool });
 */
export const createPostgresSchemas = ({ pool }: PostgresSchemasOptions): TenantDatabases =>
  schemas(postgresDialect(pool, undefined), (schema) => createPostgresAdapter({ pool, schema }));

/** Options of {@link createPGliteSchemas}. */
export interface PGliteSchemasOptions {
  /**
   * A `PGlite` from @electric-sql/pglite that all tenants share. It belongs to the host, and Postern does not close it.
   */
  readonly instance: PGlite;
}

/** Stores each tenant in a separate schema of one PGlite instance. */
export const createPGliteSchemas = ({ instance }: PGliteSchemasOptions): TenantDatabases =>
  schemas(pgliteDialect(instance), (schema) => createPGliteAdapter({ instance, schema }));

function schemas(dialect: Dialect, adapterIn: (schema: string) => SqlAdapter): TenantDatabases {
  const db = new Kysely<unknown>({ dialect });
  return {
    async open(tenantId) {
      const schema = schemaOf(tenantId);
      const { rows } = await sql`select 1 from pg_catalog.pg_namespace where nspname = ${schema}`.execute(db);
      if (rows.length === 0) throw new Error(`tenant '${tenantId}' has no schema '${schema}' in this database`);
      return adapterIn(schema);
    },
    provision: (tenantId) => adapterIn(schemaOf(tenantId)).migrate(),
    async drop(tenantId) {
      await sql`drop schema if exists ${sql.id(schemaOf(tenantId))} cascade`.execute(db);
    },
  };
}

/**
 * The maximum length of a name in PostgreSQL, in bytes. PostgreSQL truncates longer names without an error, so two
 * tenants could share a schema.
 */
const nameLength = 63;

/**
 * Returns the name of a tenant's schema: `tenant_<id>`. A long id is shortened to its first characters, `$` and a hash.
 * Because ids cannot contain `$`, no other id leads to the same name.
 */
export function schemaOf(tenantId: string): string {
  assertTenantId(tenantId);
  const name = `tenant_${tenantId}`;
  if (name.length <= nameLength) return name;
  const hash = createHash("sha256").update(tenantId).digest("hex").slice(0, 32);
  return `${name.slice(0, nameLength - 33)}$${hash}`;
}
