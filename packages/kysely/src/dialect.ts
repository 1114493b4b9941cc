import type { Field, Scalar, Value } from "@postern/core/adapter";
import type { Kysely, RawBuilder } from "kysely";

/** A value that a driver binds to a placeholder. */
export type BoundValue = Scalar | null | readonly (Scalar | null)[];

/** The SQL of a condition. Its result is true or false, never null. */
export type SqlCondition = RawBuilder<unknown>;

/** The SQL of a value. */
export type Sql = RawBuilder<unknown>;

/** Converts the values of one field between core and the driver. If a function is missing, no conversion is needed. */
export interface Codec {
  readonly encode?: (value: Value) => BoundValue;
  /** Replaces a text to search for that the database could not store, so that it matches no row and causes no error. */
  readonly search?: (text: string) => string;
  readonly decode?: (value: unknown) => Value;
}

/** The operators with which a filter compares a value. */
export type ComparisonOperator = "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains";

/**
 * The class of a driver's error.
 *
 * - `conflict`: a unique key is already in use.
 * - `retry`: the statement had no effect, and it may succeed if it is run again.
 * - `unavailable`: the database cannot run the statement now, or the result of the statement is unknown. The statement
 *   is never retried automatically.
 */
export type ErrorClass = "conflict" | "retry" | "unavailable";

/** How to insert any number of rows with few different SQL statements. */
type BulkInsert =
  /**
   * One SQL statement for each of these row counts. Other counts combine several of these statements in one
   * transaction.
   */
  | { readonly by: "values"; readonly sizes: readonly number[] }
  /** One SQL statement for all row counts: each column is bound as one list. */
  | { readonly by: "unnest"; readonly type: (field: Field) => string };

/** A column that exists in the database. */
interface DatabaseColumn {
  readonly table: string;
  readonly column: string;
}

/** The differences between the supported databases. */
export interface Dialect {
  readonly name: "sqlite" | "postgres" | "mysql" | "pglite" | "d1";
  /** The schema that contains the tables. Undefined: the schema that the connection selects. */
  readonly schema?: string;
  readonly codec: (field: Field) => Codec;
  /**
   * Whether the database supports `on conflict do nothing`. If not, the adapter catches the error of a plain insert.
   */
  readonly hasOnConflict: boolean;
  /** Whether a failed statement aborts its transaction. If so, statements that may fail need a savepoint. */
  readonly errorAbortsTransaction: boolean;
  /** Whether `(a, b) > (?, ?)` uses an index. */
  readonly comparesRows: boolean;
  readonly bulkInsert: BulkInsert;
  /** The maximum number of bound values in one insert statement. Default: no limit. */
  readonly maxValues?: number;
  /** Wraps a placeholder for a value in a condition. */
  readonly conditionValue: (placeholder: Sql) => Sql;
  /** Wraps a placeholder for a number of rows in `limit`. */
  readonly rowCount: (placeholder: Sql) => Sql;
  /** Wraps a column so that its value is unchanged but the planner uses no index on the column. */
  readonly withoutIndex: (column: Sql, type: Field["type"]) => Sql;
  /**
   * Wraps a condition so that the planner uses no index for it. Default: wraps the column with `withoutIndex`. Set this
   * if the planner has statistics about columns but not about expressions. It then still estimates the rows correctly.
   */
  readonly conditionWithoutIndex?: (condition: SqlCondition) => SqlCondition;
  /** Tells the planner how many rows match a condition. Default: the planner estimates it. */
  readonly expect?: (condition: SqlCondition, rows: "few" | "most") => SqlCondition;
  /** Returns the condition that `text` contains `part`, compared byte by byte. */
  readonly contains: (text: Sql, part: Sql) => Sql;
  /** Converts the value of a `text` column so that it is compared byte by byte. */
  readonly asBytes: (text: Sql) => Sql;
  /** Converts a comparison whose result may be null so that the result is true or false. Null becomes false. */
  readonly nullAsFalse: (truth: Sql) => SqlCondition;
  /** Wraps a value that may be a fraction and that is compared with a numeric column. */
  readonly number: (value: Sql) => Sql;
  /**
   * Returns the condition that the value at `path` in the JSON text of `column` passes `test`. If the value is an
   * array, one of its members must pass. Nested arrays are not searched. Null never passes.
   */
  readonly anyInJson: (column: Sql, path: readonly string[], test: JsonTest) => SqlCondition;
  /** Classifies an error from the driver. Returns undefined for a mistake in the program or the schema. */
  readonly classifyError: (error: unknown) => ErrorClass | undefined;
  /** The maximum number of attempts for a statement that can be retried. Default 10. */
  readonly maxAttempts?: number;
  /** Returns the columns of all tables whose names begin with the prefix. */
  readonly columns: (db: Kysely<unknown>) => Promise<DatabaseColumn[]>;
  /**
   * Returns the settings of the server or the connection that would make results wrong. Each is described in one
   * sentence.
   */
  readonly settingProblems?: (db: Kysely<unknown>) => Promise<string[]>;
  /** The table in which another tool records which migration files it has run, in the column `name`. */
  readonly fileRecord?: string;
  /**
   * Takes a lock for migrations, which ends with the transaction. Omitted if the transaction itself makes other
   * processes wait.
   */
  readonly lockMigrations?: (transaction: Kysely<unknown>) => Promise<void>;
  /** The SQL of each migration, by name. */
  readonly migrations: { readonly [name: string]: string };
  /**
   * Returns `true` if an error means that a migration statement was already applied. If each statement commits on its
   * own, a process can end between a statement and the record of its migration, and the migration then runs again.
   * Omitted if a migration and its record are in one transaction.
   */
  readonly isAlreadyApplied?: (error: unknown) => boolean;
}

/** A test for a value inside JSON. */
export type JsonTest = { readonly op: "exists" } | { readonly op: ComparisonOperator; readonly value: Scalar };
