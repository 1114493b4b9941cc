import { withChecks } from "./checks.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type CollectionName, type OptionalCollectionName, type StoredRow } from "./schema.ts";
import type { Scalar, Value } from "./value.ts";

/** A row as an adapter stores it: field names and values. */
export interface AnyRow {
  readonly [field: string]: Value;
}

/**
 * A condition on one field. A bare value means equality; `null` matches only null. `prefix` and `contains` are literal
 * and exact: `%`, `_` and `*` have no special meaning, and letter case matters. Comparisons and text operators never
 * match null.
 */
export type Condition<V> =
  | V
  | (V extends Scalar ? Operators<V> : never)
  | { /** `true`: not null; `false`: null. */ readonly exists: boolean };

/** The operators of a {@link Condition}. If an object has several, all must match. */
export interface Operators<V extends Scalar> {
  /** The field equals one of these values. The list has 1 to 50 values. */
  readonly in?: readonly V[];
  readonly lt?: V;
  readonly lte?: V;
  readonly gt?: V;
  readonly gte?: V;
  /** The text starts with this text. */
  readonly prefix?: string;
  /** The text contains this text. */
  readonly contains?: string;
}

type Comparable<Row> = { [F in keyof Row]: Exclude<Row[F], null> extends Scalar ? F : never }[keyof Row];

/** True for {@link AnyRow}, whose fields the compiler does not know. */
type IsUntyped<Row> = string extends keyof Row ? true : false;

/** Conditions on fields, all of which must match. Never empty, so that no mistake matches every row. */
export type Match<Row> =
  IsUntyped<Row> extends true
    ? { readonly [field: string]: Condition<Scalar | null> }
    : { readonly [F in Comparable<Row>]?: Condition<Row[F]> };

/**
 * A tree of conditions, compiled from the `q` parameter of a request. Each condition is either true or false, unlike in
 * SQL: a missing value matches no comparison, so it matches a negated comparison. `path` names a member inside an
 * `object` field, for example `["plan", "name"]` in `app_metadata`. If the member is an array, the condition matches if
 * one of the elements matches.
 */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }
  | {
      readonly field: string;
      readonly path?: readonly string[];
      readonly op: "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains" | "exists";
      /** The value to compare with; absent for `exists`. Text is compared byte by byte. */
      readonly value?: Scalar;
    };

/** The order of a page. The last fields are those of the key. All fields have the same direction. */
export interface Order<Row> {
  readonly fields: readonly FieldName<Row>[];
  readonly direction: "asc" | "desc";
}

/** The names of a row's fields. */
export type FieldName<Row> = keyof Row & string;

/** A query for rows. The caller needs the fields `F` of them. */
export interface Find<Row, F extends FieldName<Row> = FieldName<Row>> {
  /** The conditions. They are never empty. */
  readonly where: Match<Row>;
  /**
   * The fields that the caller needs. Default: all. With this list, a store need not read large unused fields such as
   * metadata. An adapter may return more fields.
   */
  readonly fields?: readonly F[];
  /** An additional condition tree. Passed only to collections with `filters: true`. */
  readonly filter?: Filter;
  /** The order of the rows. Default: unspecified. */
  readonly orderBy?: Order<Row>;
  /**
   * The values of `orderBy.fields` in the last row of the previous page (keyset pagination). The result starts after
   * that row.
   */
  readonly after?: readonly Scalar[];
  /** Rows to skip. Never together with `after`. */
  readonly offset?: number;
  /** Maximum number of rows, 1 to 1000. There is no default, because a hidden limit would silently omit rows. */
  readonly limit: number;
}

/** A row with the fields `F` that the query requested, or with all fields if the query named none. */
export type FoundRow<Row, F extends FieldName<Row>> = [F] extends [never] ? Row : IsUntyped<Row> extends true ? Row : Pick<Row, F>;

/**
 * The change that an update makes to each matching row: it sets fields, adds to integer fields, or both (never to the
 * same field).
 */
export interface Change<Row> {
  /** The fields to set, with their new values. */
  readonly set?: IsUntyped<Row> extends true ? AnyRow : { readonly [F in keyof Row]?: Row[F] };
  /** The numbers to add to integer fields. Negative numbers subtract. */
  readonly add?: IsUntyped<Row> extends true
    ? { readonly [field: string]: number }
    : { readonly [F in keyof Row as Row[F] extends number ? F : never]?: number };
}

/** Additional options of a call. An adapter may ignore them. */
export interface CallOptions {
  /**
   * Aborted when the call times out. By then the caller has received an error and ignores the result. If the adapter
   * can cancel the statement or close its connection, it should do so, because that frees the connection for other
   * calls. After the abort, do not start or retry a statement.
   */
  readonly signal: AbortSignal;
}

/**
 * The five methods that store one collection. Core relies on this contract and on nothing else, and
 * `@postern/adapter-tests` verifies it.
 *
 * An adapter generates no values: ids, times and defaults come from core, and writes return no rows. Each method is one
 * atomic statement. If the infrastructure fails, a method rejects with an {@link UnavailableError} if a retry may help,
 * otherwise with any other error.
 */
export interface Collection<Row = AnyRow> {
  /**
   * Inserts all rows or none. Each row has every field of the description.
   * @returns false if a key or unique key is already in use, by a stored row or by another row in `rows`. Then nothing
   * was written. Such a conflict must not abort the surrounding transaction.
   */
  insert(rows: readonly Row[], options?: CallOptions): Promise<boolean>;
  /** Returns the matching rows, with the fields that `query.fields` names, or with all fields. */
  find<F extends FieldName<Row> = never>(query: Find<Row, F>, options?: CallOptions): Promise<FoundRow<Row, F>[]>;
  /** Returns the number of matching rows. */
  count(where: Match<Row>, filter?: Filter, options?: CallOptions): Promise<number>;
  /**
   * Changes every matching row in one atomic statement.
   * @returns the number of rows that matched, whether or not they changed. Callers base decisions on this number.
   * @throws {ConflictError} if a unique key is already in use. Then nothing was changed.
   */
  update(where: Match<Row>, change: Change<Row>, options?: CallOptions): Promise<number>;
  /** Deletes every matching row. @returns the number of deleted rows. */
  delete(where: Match<Row>, options?: CallOptions): Promise<number>;
  /**
   * Whether `find` and `count` support `filter`. If not, core supports only searches that a flat `where` can express,
   * and responds to all others with 400.
   */
  readonly filters?: boolean;
}

/** One {@link Collection} for each kind of row. A host may replace single entries, and omit optional collections. */
export type Collections = {
  readonly [Name in Exclude<CollectionName, OptionalCollectionName>]: Collection<StoredRow<Name>>;
} & {
  readonly [Name in OptionalCollectionName]?: Collection<StoredRow<Name>>;
};

/**
 * The database that Postern stores its data in. Created by `defineAdapter`, or by a package such as `@postern/kysely`.
 */
export interface DataAdapter {
  /** The collections, by name. */
  readonly collections: Collections;
  /**
   * Calls `run` with collections that share one transaction. If `run` rejects, the transaction is rolled back.
   * Transactions are an optimization: core is correct without them. Inside `run`, use only the collections that it
   * receives.
   */
  transaction?<T>(run: (tx: Collections) => Promise<T>): Promise<T>;
  /**
   * `true` if each call blocks the thread until it is done, as in-process stores and synchronous drivers do. Then core
   * sets no timeout for the calls, because a timer cannot fire during a call. Default: `false`.
   */
  readonly isSynchronous?: boolean;
  /**
   * Compares the existing tables with the descriptions. Called at startup. @throws an error that names what is missing.
   */
  check?(): Promise<void>;
  /** Closes connections and files. */
  close?(): Promise<void>;
}

/**
 * Creates a {@link DataAdapter} from a function that is called once for each collection's description. Every call is
 * validated before it reaches the adapter's methods: unknown fields and operators, `undefined`, and empty conditions
 * cause a `TypeError`.
 *
 * @param create returns the collection for a description.
 * @param rest the optional members of the adapter. `transaction` receives a function that takes a `create` function for
 * collections in the transaction.
 *
 * @example
 * const data = defineAdapter((description) => new MyCollection(myDatabase, description));
 */
export function defineAdapter(
  create: (description: CollectionDescription) => Collection,
  rest: Pick<DataAdapter, "check" | "close" | "isSynchronous"> & {
    readonly transaction?: <T>(run: (create: (description: CollectionDescription) => Collection) => Promise<T>) => Promise<T>;
  } = {},
): DataAdapter {
  const { transaction, ...members } = rest;
  return {
    ...members,
    collections: collectionsFrom(create),
    ...(transaction && { transaction: (run) => transaction((createInTransaction) => run(collectionsFrom(createInTransaction))) }),
  };
}

function collectionsFrom(create: (description: CollectionDescription) => Collection): Collections {
  const entries = Object.values(schema).map((description) => [description.name, withChecks(description, create(description))]);
  // The row types and these collections both derive from the descriptions. The compiler loses that in
  // `Object.fromEntries`.
  return Object.fromEntries(entries) as Collections;
}
