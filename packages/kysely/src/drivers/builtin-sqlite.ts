import type { BetterSqliteDatabase, BetterSqliteStatement } from "./sqlite.ts";

/** A `DatabaseSync` from `node:sqlite`. Only the members that the adapter uses. */
export interface NodeSqliteDatabase {
  prepare(text: string): NodeSqliteStatement;
  exec(text: string): unknown;
  close(): unknown;
}

/** A statement from `node:sqlite`. Only the members that the adapter uses. */
export interface NodeSqliteStatement {
  columns(): readonly unknown[];
  all(...parameters: SqliteParameter[]): unknown[];
  run(...parameters: SqliteParameter[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: SqliteParameter[]): IterableIterator<unknown>;
}

/** A `Database` from `bun:sqlite`. Only the members that the adapter uses. */
export interface BunSqliteDatabase {
  prepare(text: string): BunSqliteStatement;
  run(text: string): unknown;
  close(): unknown;
}

/** A statement from `bun:sqlite`. Only the members that the adapter uses. */
export interface BunSqliteStatement {
  readonly columnNames: readonly string[];
  all(...parameters: SqliteParameter[]): unknown[];
  run(...parameters: SqliteParameter[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: SqliteParameter[]): IterableIterator<unknown>;
}

/** A value that can be bound to a statement. */
export type SqliteParameter = null | number | bigint | string | Uint8Array;

/** A database from one of the SQLite drivers. */
export type AnySqliteDatabase = BetterSqliteDatabase | NodeSqliteDatabase | BunSqliteDatabase;

/**
 * Returns a database from any driver with the interface of better-sqlite3. The built-in drivers have equivalent methods
 * under other names.
 */
export function asBetterSqlite(database: AnySqliteDatabase): BetterSqliteDatabase {
  if ("pragma" in database) return database;
  const run = (text: string): unknown => ("exec" in database ? database.exec(text) : database.run(text));
  return {
    prepare: (text) => asBetterStatement(database.prepare(text)),
    pragma: (text) => run(`pragma ${text}`),
    close: () => database.close(),
  };
}

function asBetterStatement(statement: NodeSqliteStatement | BunSqliteStatement): BetterSqliteStatement {
  // Kysely and the adapter pass all values as one list. It contains only these types, because the dialect's `encode`
  // returns only these.
  const values = ([parameters]: unknown[]): SqliteParameter[] => (parameters ?? []) as SqliteParameter[];
  return {
    get reader() {
      return ("columns" in statement ? statement.columns() : statement.columnNames).length > 0;
    },
    // `node:sqlite` returns rows without a prototype. Callers expect plain objects.
    all: (...parameters) => statement.all(...values(parameters)).map((row) => Object.assign({}, row)),
    run: (...parameters) => statement.run(...values(parameters)),
    iterate: (...parameters) => statement.iterate(...values(parameters)),
    // Both drivers return integers as numbers by default.
    safeIntegers: () => {},
  };
}
