import type { Field, Scalar, Value } from "@postern/core/adapter";
import type { Kysely, RawBuilder } from "kysely";

/** What a driver binds to a placeholder. */
export type BoundValue = Scalar | null | readonly (Scalar | null)[];

/** SQL of a condition. Its result is true or false, never null. */
export type SqlCondition = RawBuilder<unknown>;

/** SQL of a value. */
export type Sql = RawBuilder<unknown>;

/**
 * Converts the values of one field between core and the driver. A missing function means that no conversion is needed.
 */
export interface Codec {
  readonly encode?: (value: Value) => BoundValue;
  /** Replaces a search text that the database could not store, so that it matches no row and causes no error. */
  readonly search?: (text: string) => string;
  readonly decode?: (value: unknown) => Value;
}

/** Operators of a filter that compare with a value. */
export type ComparisonOperator = "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains";

/**
 * What an error of a driver means.
 *
 * - `conflict`: a unique key is taken.
 * - `retry`: the statement had no effect, and repeating it may succeed.
 * - `unavailable`: the database cannot do it now, or its result is unknown. It is never repeated automatically.
 */
export type ErrorClass = "conflict" | "retry" | "unavailable";

/** How to insert several rows with few statements and few SQL texts. */
type BulkInsert =
  /** One SQL text for each of these row counts. Other counts combine several of them in one transaction. */
  | { readonly by: "values"; readonly sizes: readonly number[] }
  /** One SQL text for any row count: each column is bound as one list. */
  | { readonly by: "unnest"; readonly type: (field: Field) => string };

/** A column that exists in the database. */
interface DatabaseColumn {
  readonly table: string;
  readonly column: string;
}

/** The differences between the supported databases. */
export interface Dialect {
  readonly name: "sqlite" | "postgres" | "mysql" | "pglite" | "d1";
  /** The schema of the tables. Undefined: the schema that the connection selects. */
  readonly schema?: string;
  readonly codec: (field: Field) => Codec;
  /** `true` if the database has `on conflict do nothing`. Otherwise the error of a plain insert is caught. */
  readonly hasOnConflict: boolean;
  /** `true` if a failed statement aborts its transaction, so that statements that may fail need a savepoint. */
  readonly errorAbortsTransaction: boolean;
  /** `true` if `(a, b) > (?, ?)` uses an index. */
  readonly comparesRows: boolean;
  readonly bulkInsert: BulkInsert;
  /** The maximum number of bound values in one insert statement. Default: no limit. */
  readonly maxValues?: number;
  /** Wraps a placeholder that is used in a condition. */
  readonly conditionValue: (placeholder: Sql) => Sql;
  /** Wraps a placeholder for a number of rows (`limit`). */
  readonly rowCount: (placeholder: Sql) => Sql;
  /** Wraps a column so that its value stays the same and the planner uses no index for it. */
  readonly withoutIndex: (column: Sql, type: Field["type"]) => Sql;
  /** The condition that `text` contains `part`, compared byte by byte. */
  readonly contains: (text: Sql, part: Sql) => Sql;
  /** Converts the value of a `text` column so that it is compared byte by byte. */
  readonly asBytes: (text: Sql) => Sql;
  /** Converts a comparison that may be null to true or false. Null becomes false. */
  readonly nullAsFalse: (truth: Sql) => SqlCondition;
  /** Wraps a value that is compared with a numeric column and may be a fraction. */
  readonly number: (value: Sql) => Sql;
  /**
   * The condition that the value at `path` in the JSON text of `column` passes `test`. If the value is an array, one of
   * its members must pass. Nested arrays are not searched, and null never passes.
   */
  readonly anyInJson: (column: Sql, path: readonly string[], test: JsonTest) => SqlCondition;
  /** Classifies an error of the driver. Returns undefined for a mistake in the program or the schema. */
  readonly classifyError: (error: unknown) => ErrorClass | undefined;
  /** The maximum number of attempts for a statement that can be retried. Default 10. */
  readonly maxAttempts?: number;
  /** Lists the columns of all tables whose name begins with the prefix. */
  readonly columns: (db: Kysely<unknown>) => Promise<DatabaseColumn[]>;
  /** Lists settings of the server or the connection that would make results wrong, each as one sentence. */
  readonly settingProblems?: (db: Kysely<unknown>) => Promise<string[]>;
  /** The table in which another tool records the migration files that it ran, in the column `name`. */
  readonly fileRecord?: string;
  /**
   * Takes a lock for migrations that ends with the transaction. Omitted: the transaction itself excludes other
   * processes.
   */
  readonly lockMigrations?: (transaction: Kysely<unknown>) => Promise<void>;
  /** The SQL text of each migration, by name. */
  readonly migrations: { readonly [name: string]: string };
  /**
   * Returns `true` for the error of a migration statement that was already applied. Where each statement commits by
   * itself, a process can end between a statement and the record of its migration, and the migration runs again.
   * Omitted: a migration and its record are one transaction.
   */
  readonly isAlreadyApplied?: (error: unknown) => boolean;
}

/** The test that a value inside JSON must pass. */
export type JsonTest = { readonly op: "exists" } | { readonly op: ComparisonOperator; readonly value: Scalar };
