import { checked } from "./checks.ts";
import type { CollectionDescription } from "./description.ts";
import { schema, type CollectionName, type OptionalCollectionName, type StoredRow } from "./schema.ts";
import type { Scalar, Value } from "./value.ts";

/** A row as an adapter sees it: field names to values. */
export interface AnyRow {
  readonly [field: string]: Value;
}

/**
 * What one field must satisfy. A bare value is equality; `null` matches only null.
 * `prefix` and `contains` are literal and exact: `%`, `_` and `*` mean themselves, and letter case counts.
 * Comparisons and text operators never match null.
 */
export type Condition<V> =
  | V
  | (V extends Scalar ? Operators<V> : never)
  | { /** `true`: not null; `false`: null. */ readonly exists: boolean };

/** The operators of a {@link Condition}; several in one object must all hold. */
export interface Operators<V extends Scalar> {
  /** One of these, 1 to 50 of them. */
  readonly in?: readonly V[];
  readonly lt?: V;
  readonly lte?: V;
  readonly gt?: V;
  readonly gte?: V;
  readonly prefix?: string;
  readonly contains?: string;
}

type Comparable<Row> = { [F in keyof Row]: Exclude<Row[F], null> extends Scalar ? F : never }[keyof Row];

/** True for {@link AnyRow}, whose fields the compiler does not know. */
type IsUntyped<Row> = string extends keyof Row ? true : false;

/** Conditions on fields, all of which must hold. Never empty: nothing matches everything by accident. */
export type Match<Row> =
  IsUntyped<Row> extends true
    ? { readonly [field: string]: Condition<Scalar | null> }
    : { readonly [F in Comparable<Row>]?: Condition<Row[F]> };

/**
 * A condition tree, made only from a caller's `q`. It is two-valued: a missing value matches nothing, and `not` matches it then.
 * `path` names a member inside an `object` field, for example `["plan", "name"]` in `app_metadata`; a string inside an array there matches as the value itself would.
 */
export type Filter =
  | { readonly and: readonly Filter[] }
  | { readonly or: readonly Filter[] }
  | { readonly not: Filter }
  | {
      readonly field: string;
      readonly path?: readonly string[];
      readonly op: "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains" | "exists";
      /** What it is compared with; absent for `exists`. Text is compared byte by byte. */
      readonly value?: Scalar;
    };

/** The order of a page: these fields, the last of which are the key's, all in one direction. */
export interface Order<Row> {
  readonly fields: readonly FieldName<Row>[];
  readonly direction: "asc" | "desc";
}

/** The names of a row's fields. */
export type FieldName<Row> = keyof Row & string;

/** A question for rows, of which the fields `F` are needed. */
export interface Find<Row, F extends FieldName<Row> = FieldName<Row>> {
  readonly where: Match<Row>;
  /**
   * The fields that the caller reads; left out, all of them. It spares a store what nobody looks at, such as metadata of many kilobytes,
   * and is a hint: an adapter may return more.
   */
  readonly fields?: readonly F[];
  readonly filter?: Filter;
  /** Without an order the rows come in any order. */
  readonly orderBy?: Order<Row>;
  /** Values of `orderBy.fields` of the row after which to go on (keyset pagination). */
  readonly after?: readonly Scalar[];
  /** Rows to skip. Never together with `after`. */
  readonly offset?: number;
  /** At most so many rows, 1 to 1000. There is no default: a hidden one loses rows. */
  readonly limit: number;
}

/** A row as far as it was asked for: the fields `F` of it, or whole where the question named none. */
export type Found<Row, F extends FieldName<Row>> = [F] extends [never] ? Row : IsUntyped<Row> extends true ? Row : Pick<Row, F>;

/** What an update does to each row it matches: set fields, add to integer fields, or both (never the same field). */
export interface Change<Row> {
  readonly set?: IsUntyped<Row> extends true ? AnyRow : { readonly [F in keyof Row]?: Row[F] };
  readonly add?: IsUntyped<Row> extends true
    ? { readonly [field: string]: number }
    : { readonly [F in keyof Row as Row[F] extends number ? F : never]?: number };
}

/** What core tells an adapter about a call besides the query. An adapter may ignore it. */
export interface CallOptions {
  /**
   * Aborted when the caller stops waiting because the call took too long. The caller has failed by then and ignores the result of the call.
   * An adapter that can cancel the statement, or close its connection, frees the connection for other calls. After the abort, do not begin or retry a statement.
   */
  readonly signal: AbortSignal;
}

/**
 * The five methods that store one collection. Core relies on exactly this, and `@postern/adapter-tests` proves it.
 *
 * An adapter invents nothing and returns nothing that it wrote: ids, times and defaults come from core.
 * Each method is one atomic statement. An infrastructure fault rejects with {@link UnavailableError} where trying again may help, else with any error.
 */
export interface Collection<Row = AnyRow> {
  /**
   * Adds all rows or none. Every field of the description is present in each row.
   * @returns false when a key or unique key is taken (also among the rows themselves): then nothing was written. This never poisons a transaction.
   */
  insert(rows: readonly Row[], options?: CallOptions): Promise<boolean>;
  /** Reads rows: those fields of them that `query.fields` names, or all. */
  find<F extends FieldName<Row> = never>(query: Find<Row, F>, options?: CallOptions): Promise<Found<Row, F>[]>;
  /** Counts rows. */
  count(where: Match<Row>, filter?: Filter, options?: CallOptions): Promise<number>;
  /**
   * Changes every row that matches, in one statement that no other write can come between.
   * @returns how many rows matched, changed or not: the caller lets this number decide.
   * @throws {ConflictError} when a unique key is taken; then nothing changed.
   */
  update(where: Match<Row>, change: Change<Row>, options?: CallOptions): Promise<number>;
  /** Removes every row that matches. @returns how many there were. */
  delete(where: Match<Row>, options?: CallOptions): Promise<number>;
  /** True where `find` and `count` understand `filter`. Without it, core answers what a flat `where` can express, and 400 for the rest. */
  readonly filters?: boolean;
}

/** One {@link Collection} for each record. A host may replace single entries. Optional collections may be absent. */
export type Collections = {
  readonly [Name in Exclude<CollectionName, OptionalCollectionName>]: Collection<StoredRow<Name>>;
} & {
  readonly [Name in OptionalCollectionName]?: Collection<StoredRow<Name>>;
};

/** Where Postern keeps its data. Made by `defineAdapter`, or by a package such as `@postern/kysely`. */
export interface DataAdapter {
  readonly collections: Collections;
  /**
   * Runs `run` with collections that share one transaction, rolled back when it rejects.
   * For tidiness only: core is safe without it. Inside, use nothing but the argument.
   */
  transaction?<T>(run: (tx: Collections) => Promise<T>): Promise<T>;
  /**
   * `true` if each call blocks the thread until it is done, as in-process stores and synchronous drivers do. Core then sets no timeout for the calls,
   * because its timer could not fire while a call runs. Default: `false`.
   */
  readonly isSynchronous?: boolean;
  /** Compares what is there with what the descriptions need. Called at start. @throws with the name of what is missing. */
  check?(): Promise<void>;
  /** Releases connections and files. */
  close?(): Promise<void>;
}

/**
 * Makes a {@link DataAdapter} from one function that is called once for each record's description.
 * Every call is checked before it reaches the adapter's methods: unknown fields and operators, `undefined`, and empty conditions throw.
 *
 * @example
 * const data = defineAdapter((description) => new MyCollection(myDatabase, description));
 */
export function defineAdapter(
  make: (description: CollectionDescription) => Collection,
  rest: Pick<DataAdapter, "check" | "close" | "isSynchronous"> & {
    readonly transaction?: <T>(run: (make: (description: CollectionDescription) => Collection) => Promise<T>) => Promise<T>;
  } = {},
): DataAdapter {
  const { transaction, ...members } = rest;
  return {
    ...members,
    collections: collectionsFrom(make),
    ...(transaction && { transaction: (run) => transaction((makeInTransaction) => run(collectionsFrom(makeInTransaction))) }),
  };
}

function collectionsFrom(make: (description: CollectionDescription) => Collection): Collections {
  const entries = Object.values(schema).map((description) => [description.name, checked(description, make(description))]);
  // The descriptions are the source of both the row types and these methods, which the compiler cannot see through `Object.fromEntries`.
  return Object.fromEntries(entries) as Collections;
}
