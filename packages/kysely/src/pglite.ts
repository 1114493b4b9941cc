import type { PGlite } from "kysely";
import { sqlAdapter, type SqlAdapter } from "./adapter.ts";
import { inSchema, pglite } from "./dialects/postgres.ts";
import { pgliteDialect } from "./drivers/pglite.ts";

/** Options of {@link pgliteAdapter}. */
export interface PGliteOptions {
  /** A `PGlite` of @electric-sql/pglite. It may be one that the host uses as well. */
  readonly instance: PGlite;
  /** The schema that the tables are in, made by `migrate()`; each statement names it. Left out, the instance's `search_path` decides. */
  readonly schema?: string;
  /** Whether `close()` closes `instance` too. Default false: it belongs to the host. */
  readonly closes?: boolean;
}

/**
 * Postern's data in PGlite: PostgreSQL inside this process.
 *
 * @example
 * const data = pgliteAdapter({ instance: new PGlite("./data") });
 * await data.migrate();
 */
export function pgliteAdapter({ instance, schema, closes = false }: PGliteOptions): SqlAdapter {
  return sqlAdapter({
    dialect: inSchema(pglite, schema),
    driver: pgliteDialect(instance, schema),
    ...(closes && { close: () => instance.close() }),
  });
}
