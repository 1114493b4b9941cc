import {
  storedFields,
  storedIndexes,
  storedKey,
  storedUnique,
  type AnyRow,
  type CollectionDescription,
  type Field,
  type Value,
} from "@postern/core/adapter";
import { sql, type RawBuilder } from "kysely";
import type { BoundValue, Codec, Dialect } from "./dialect.ts";
import { tableName, tableRef } from "./names.ts";
import type { HostTable } from "./host-tables.ts";

/** A column and the SQL of its name. */
export interface Column {
  readonly name: string;
  readonly field: Field;
  readonly ref: RawBuilder<unknown>;
  /** `true` if the column's name differs from the field's. */
  readonly renamed: boolean;
  readonly codec: Codec;
}

/** The columns of a query and the decoders of their values. */
export interface ColumnSelection {
  /** Identifies this selection among those of the same table. */
  readonly key: string;
  readonly list: RawBuilder<unknown>;
  readonly decoders: readonly (readonly [string, (value: unknown) => Value])[];
}

/** A collection's table, with everything that is computed once per table. */
export class SqlTable {
  readonly name: string;
  readonly ref: RawBuilder<unknown>;
  /** `true` if it is a table of the host. */
  readonly isHostTable: boolean;
  readonly columns: readonly Column[];
  /** All columns in the form that an insert needs. */
  readonly inserted: RawBuilder<unknown>;
  /** Every column. */
  readonly all: ColumnSelection;
  readonly key: readonly string[];
  /** The columns of every index, including those of the primary key and the unique keys. */
  readonly indexes: readonly (readonly string[])[];
  /** The columns of unique keys. Changing them can cause a conflict. */
  readonly guarded: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, Column>;
  /** Selections by list of fields. Core passes the same list object for the same query. */
  readonly #selections = new WeakMap<readonly string[], ColumnSelection>();
  readonly #encoders: readonly (readonly [string, ((value: Value) => BoundValue) | undefined])[];

  constructor(description: CollectionDescription, dialect: Dialect, own?: HostTable) {
    this.name = own?.table ?? tableName(description);
    this.isHostTable = own !== undefined;
    this.ref = tableRef(this.name, dialect.schema);
    this.columns = Object.entries(storedFields(description)).map(([name, field]) => ({
      name,
      field,
      ref: sql.id(own?.columns?.[name] ?? name),
      renamed: own?.columns?.[name] !== undefined,
      codec: dialect.codec(field),
    }));
    this.all = selectionOf("", this.columns);
    this.inserted = sql.join(this.columns.map(({ ref }) => ref));
    this.key = storedKey(description);
    this.indexes = [this.key, ...storedUnique(description), ...storedIndexes(description)];
    this.guarded = new Set([...this.key, ...storedUnique(description).flat()]);
    this.#byName = new Map(this.columns.map((column) => [column.name, column]));
    this.#encoders = this.columns.map(({ name, codec }) => [name, codec.encode] as const);
  }

  /** @throws for an unknown field, so that only names of the description become SQL. */
  column(name: string): Column {
    const column = this.#byName.get(name);
    if (column === undefined) throw new TypeError(`${this.name} has no column '${name}'`);
    return column;
  }

  /** Returns the columns of these fields. @throws for an unknown field. */
  selection(fields: readonly string[]): ColumnSelection {
    let selection = this.#selections.get(fields);
    if (selection === undefined) {
      const columns = fields.map((name) => this.column(name));
      this.#selections.set(fields, (selection = selectionOf(fields.join(" "), columns)));
    }
    return selection;
  }

  /** Appends a row's values to `values`, in the order of the columns. */
  encode(row: AnyRow, values: BoundValue[]): void {
    for (const [name, encode] of this.#encoders) values.push(bind(row[name] ?? null, encode));
  }
}

function selectionOf(key: string, columns: readonly Column[]): ColumnSelection {
  return {
    key,
    list: sql.join(columns.map(({ ref, name, renamed }) => (renamed ? sql`${ref} as ${sql.id(name)}` : ref))),
    decoders: columns.flatMap(({ name, codec }) => (codec.decode ? [[name, codec.decode] as const] : [])),
  };
}

/** Decodes a row of the driver. It is changed in place, because the driver returns each row object once. */
export function decodeRow(row: { [column: string]: unknown }, { decoders }: ColumnSelection): AnyRow {
  for (const [name, decode] of decoders) {
    const value = row[name];
    if (value !== null) row[name] = decode(value);
  }
  // Every column now has the type of its field. Columns without a decoder had it before.
  return row as AnyRow;
}

/** Returns the value to bind for a column. */
export function bind(value: Value, encode: ((value: Value) => BoundValue) | undefined): BoundValue {
  if (value === null) return null;
  if (encode !== undefined) return encode(value);
  if (typeof value === "object") throw new TypeError("a list or an object was given for a plain field");
  return value;
}
