/*
 * Each import stands in a `try` of its own: that is how bundlers (Next.js's, webpack, esbuild) know that a package may be missing. They take in or trace the drivers
 * that are installed and leave the others to run time. Their marks for ignoring an import would leave the installed ones out of traced deployments too.
 */

/** Loads better-sqlite3. @throws {Error} that names the package where it is missing; so do the others. */
export async function loadBetterSqlite() {
  try {
    return await import("better-sqlite3");
  } catch (cause) {
    throw missing("better-sqlite3", cause);
  }
}

/** Loads PGlite. */
export async function loadPGlite() {
  try {
    return await import("@electric-sql/pglite");
  } catch (cause) {
    throw missing("@electric-sql/pglite", cause);
  }
}

/** Loads pg. */
export async function loadPg() {
  try {
    return await import("pg");
  } catch (cause) {
    throw missing("pg", cause);
  }
}

/** Loads mysql2. */
export async function loadMysql2() {
  try {
    return await import("mysql2");
  } catch (cause) {
    throw missing("mysql2", cause);
  }
}

const missing = (name: string, cause: unknown): Error =>
  new Error(`This database address needs the package ${name}: install it beside @postern/kysely`, { cause });
