import { pathToFileURL } from "node:url";
import type { AnySqliteDatabase } from "./builtin-sqlite.ts";

/*
 * Each import stands in a `try` of its own: that is how bundlers (Next.js's, webpack, esbuild) know that a package may be missing. They take in or trace the drivers
 * that are installed and leave the others to run time. Their marks for ignoring an import would leave the installed ones out of traced deployments too.
 */

/**
 * Opens a SQLite file, or `:memory:`: with Bun's own driver in Bun, which cannot load better-sqlite3; with better-sqlite3 where that is installed; else with the runtime's own `node:sqlite`.
 * @throws {Error} that names the package where there is none; so do the others.
 */
export async function openSqliteFile(
  path: string,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<AnySqliteDatabase> {
  if (process.versions["bun"] !== undefined) {
    // Not written out: no other runtime's bundler knows the name.
    const name: string = "bun:sqlite";
    const { Database } = (await import(name)) as { readonly Database: new (path: string, options: object) => AnySqliteDatabase };
    return new Database(path, { readwrite: true, create: !mustExist });
  }
  try {
    const { default: Database } = await import("better-sqlite3");
    return new Database(path, { fileMustExist: mustExist });
  } catch (cause) {
    // One that is there and does not load is a fault that its owner has to know.
    if (!isNotFound(cause)) throw cause;
    return openNodeSqlite(path, mustExist, cause);
  }
}

/** Opens it with `node:sqlite`. @param notFound why better-sqlite3 does not. */
export async function openNodeSqlite(path: string, mustExist: boolean, notFound?: unknown): Promise<AnySqliteDatabase> {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    if (!mustExist) return new DatabaseSync(path);
    const file = pathToFileURL(path);
    file.searchParams.set("mode", "rw");
    return new DatabaseSync(file);
  } catch (error) {
    throw error instanceof Error && "code" in error && error.code === "ERR_UNKNOWN_BUILTIN_MODULE"
      ? missing("better-sqlite3", notFound)
      : error;
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND");

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
  new Error(
    `This database address needs the package ${name}: install it beside @postern/kysely. ` +
      "If the app is bundled, for example by 'next build', rebuild it afterwards: a bundle contains only drivers that were installed at build time.",
    { cause },
  );
