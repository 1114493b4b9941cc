import type { Field, Scalar, Value } from "@postern/core/adapter";
import type { Kysely, RawBuilder } from "kysely";

/** What a driver binds to a placeholder. */
export type Bound = Scalar | null | readonly (Scalar | null)[];

/** A piece of SQL that is true or false, never null. */
export type Truth = RawBuilder<unknown>;

/** A piece of SQL that stands for a value. */
export type Sql = RawBuilder<unknown>;

/** How the values of one field are bound and read; absent where the driver's own value is right as it is. */
export interface Codec {
  readonly encode?: (value: Value) => Bound;
  /** What to search with instead of a text that could not be stored. */
  readonly search?: (text: string) => string;
  readonly decode?: (value: unknown) => Value;
}

/** Operators of a filter that compare with a value. */
export type Comparison = "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains";

/** What an error of a driver means. `retry`: nothing was done and the next try may succeed. */
export type Fault = "conflict" | "retry" | "unavailable";

/** How several rows are inserted in as few statements and SQL texts as possible. */
export type BulkInsert =
  /** One text for each of these row counts; other counts are put together from them in one transaction. */
  | { readonly by: "values"; readonly sizes: readonly number[] }
  /** One text for any count: a list for each column. */
  | { readonly by: "unnest"; readonly type: (field: Field) => string };

/** A column as a database describes it. */
export interface FoundColumn {
  readonly table: string;
  readonly column: string;
}

/** All that differs between the databases. */
export interface Dialect {
  readonly name: "sqlite" | "postgres" | "mysql" | "pglite" | "d1";
  /** The schema that the tables are in; undefined where the connection decides. */
  readonly schema?: string;
  readonly codec: (field: Field) => Codec;
  /** Whether `on conflict do nothing` exists. Without it, the error of a plain insert is caught. */
  readonly ignoresConflicts: boolean;
  /** Whether a statement that fails spoils its transaction, so that it needs a savepoint. */
  readonly poisons: boolean;
  /** Whether `(a, b) > (?, ?)` uses an index. */
  readonly comparesRows: boolean;
  readonly bulkInsert: BulkInsert;
  /** How many values the insert of several rows may have in one statement. Default: any number. */
  readonly mostValues?: number;
  /** A placeholder inside a condition. */
  readonly tested: (placeholder: Sql) => Sql;
  /** A placeholder for a number of rows. */
  readonly rows: (placeholder: Sql) => Sql;
  /** The same value of a column, in a form that no index holds: the planner takes no index for it. */
  readonly unindexed: (column: Sql, type: Field["type"]) => Sql;
  /** Whether `text` contains `part`, byte by byte. */
  readonly contains: (text: Sql, part: Sql) => Sql;
  /** Text of a `text` column, to be compared byte by byte. */
  readonly exact: (text: Sql) => Sql;
  /** Turns 1 or 0 of a comparison that may be null into true or false. */
  readonly orFalse: (truth: Sql) => Truth;
  /** A comparison of a numeric column with a value that may be a fraction. */
  readonly number: (value: Sql) => Sql;
  /**
   * Whether something at `path` inside the JSON text of `column` passes `test`: the value there, or a member of it where it is an array.
   * Members of arrays are not descended into, and null is nothing.
   */
  readonly anyInJson: (column: Sql, path: readonly string[], test: JsonTest) => Truth;
  /** What an error thrown by the driver means, undefined for a fault of the program or the schema. */
  readonly fault: (error: unknown) => Fault | undefined;
  /** The columns of all tables whose name begins with the prefix. */
  readonly columns: (db: Kysely<unknown>) => Promise<FoundColumn[]>;
  /** Settings of the server or connection that would make answers wrong; each is one sentence. */
  readonly complaints?: (db: Kysely<unknown>) => Promise<string[]>;
  /** The table in which another tool keeps the names of the migration files that it ran, in its column `name`. */
  readonly fileRecord?: string;
  /** The text of each migration, by its name. */
  readonly migrations: { readonly [name: string]: string };
  /**
   * Whether an error says that a statement of a migration has taken effect before. Where each statement commits by itself, a process can be lost between the statement and
   * the record of its migration, which is then repeated. Left out: a migration and its record are one transaction.
   */
  readonly hasTakenEffect?: (error: unknown) => boolean;
}

/** What a value inside JSON must satisfy. */
export type JsonTest = { readonly op: "exists" } | { readonly op: Comparison; readonly value: Scalar };
