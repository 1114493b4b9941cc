import type { BetterSqliteDatabase, BetterSqliteStatement } from "./sqlite.ts";

/** A `DatabaseSync` of `node:sqlite`, as far as it is needed here. */
export interface NodeSqliteDatabase {
  prepare(text: string): NodeSqliteStatement;
  exec(text: string): unknown;
  close(): unknown;
}

/** A statement of `node:sqlite`, as far as it is needed here. */
export interface NodeSqliteStatement {
  columns(): readonly unknown[];
  all(...parameters: SqliteParameter[]): unknown[];
  run(...parameters: SqliteParameter[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: SqliteParameter[]): IterableIterator<unknown>;
}

/** A `Database` of `bun:sqlite`, as far as it is needed here. */
export interface BunSqliteDatabase {
  prepare(text: string): BunSqliteStatement;
  run(text: string): unknown;
  close(): unknown;
}

/** A statement of `bun:sqlite`, as far as it is needed here. */
export interface BunSqliteStatement {
  readonly columnNames: readonly string[];
  all(...parameters: SqliteParameter[]): unknown[];
  run(...parameters: SqliteParameter[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: SqliteParameter[]): IterableIterator<unknown>;
}

/** A value that can be bound to a statement. */
export type SqliteParameter = null | number | bigint | string | Uint8Array;

/** A database of one of the drivers for SQLite. */
export type AnySqliteDatabase = BetterSqliteDatabase | NodeSqliteDatabase | BunSqliteDatabase;

/**
 * Returns a database of any driver with the interface of better-sqlite3. The built-in drivers have the same methods
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
  // Kysely and the adapter pass the values as one list. The dialect's `encode` returns only these types.
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
