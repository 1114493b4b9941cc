import { pathToFileURL } from "node:url";
import type { AnySqliteDatabase } from "./builtin-sqlite.ts";

/*
 * Each import is in a separate `try`, which tells bundlers (Next.js, webpack, esbuild) that the package is optional.
 * Bundlers include or trace the drivers that are installed, and the others are resolved at run time. Comments that make
 * a bundler ignore an import would also leave installed drivers out of traced deployments.
 */

/**
 * Opens a SQLite file, or `:memory:`. Uses `bun:sqlite` in Bun, which cannot load better-sqlite3. Elsewhere uses
 * better-sqlite3 if it is installed, and otherwise `node:sqlite`.
 * @throws {Error} if no driver is available. The message names the missing package.
 */
export async function openSqliteFile(
  path: string,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<AnySqliteDatabase> {
  if (process.versions["bun"] !== undefined) {
    // The name is in a variable, because bundlers for other runtimes cannot resolve it.
    const name: string = "bun:sqlite";
    const { Database } = (await import(name)) as { readonly Database: new (path: string, options: object) => AnySqliteDatabase };
    return new Database(path, { readwrite: true, create: !mustExist });
  }
  try {
    const { default: Database } = await import("better-sqlite3");
    return new Database(path, { fileMustExist: mustExist });
  } catch (cause) {
    // If an installed driver fails to load, the operator must see the error.
    if (!isNotFound(cause)) throw cause;
    return openNodeSqlite(path, mustExist, cause);
  }
}

/** Opens the file with `node:sqlite`. @param notFound the error that occurred when better-sqlite3 was loaded. */
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
    `This database URL needs the package ${name}: install it beside @postern/kysely. ` +
      "If the app is bundled, for example by 'next build', rebuild it afterwards: a bundle contains only drivers that were installed at build time.",
    { cause },
  );
