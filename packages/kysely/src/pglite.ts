import type { PGlite } from "kysely";
import { sqlAdapter, type SqlAdapter } from "./adapter.ts";
import { pglite } from "./dialects/postgres.ts";
import { pgliteDialect } from "./drivers/pglite.ts";

/** Options of {@link pgliteAdapter}. */
export interface PGliteOptions {
  /** A `PGlite` of @electric-sql/pglite. It may be one that the host uses as well. */
  readonly instance: PGlite;
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
export function pgliteAdapter({ instance, closes = false }: PGliteOptions): SqlAdapter {
  return sqlAdapter({ dialect: pglite, driver: pgliteDialect(instance), ...(closes && { close: () => instance.close() }) });
}
