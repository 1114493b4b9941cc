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
import { StatementCache } from "./bounded-map.ts";
import type { Indexes } from "./choose-index.ts";
import type { BoundValue, Codec, Dialect } from "./dialect.ts";
import { tableName, tableRef } from "./names.ts";
import type { HostTable } from "./host-tables.ts";

/** A column, with the SQL of its name. */
export interface Column {
  readonly name: string;
  readonly field: Field;
  readonly ref: RawBuilder<unknown>;
  /** Whether the column's name differs from the field's name. */
  readonly renamed: boolean;
  readonly codec: Codec;
}

/** The columns that a query selects, and the decoders for their values. */
interface ColumnSelection {
  /**
   * Distinguishes this selection from the other selections on the same table. It is part of the key of each statement,
   * and a number is shorter than the names of the columns.
   */
  readonly key: number;
  readonly list: RawBuilder<unknown>;
  readonly decoders: readonly (readonly [string, (value: unknown) => Value])[];
}

/** The table of a collection, with everything that is computed once for each table. */
export class SqlTable {
  readonly name: string;
  readonly ref: RawBuilder<unknown>;
  /** Whether the table belongs to the host. */
  readonly isHostTable: boolean;
  readonly columns: readonly Column[];
  /** All columns in the form that an insert requires. */
  readonly inserted: RawBuilder<unknown>;
  /** The selection of every column. */
  readonly all: ColumnSelection;
  readonly key: readonly string[];
  /** The columns of each index, including the primary key and the unique keys. */
  readonly indexes: readonly (readonly string[])[];
  readonly indexesByKind: Indexes;
  /** The columns in unique keys. A change to one of them can cause a conflict. */
  readonly guarded: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, Column>;
  /** The selections by the names of their fields. Building one costs as much as a local point read. */
  readonly #selections = new StatementCache<string, ColumnSelection>(200);
  #lastSelection = 0;
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
    this.all = selectionOf(0, this.columns);
    this.inserted = sql.join(this.columns.map(({ ref }) => ref));
    this.key = storedKey(description);
    this.indexesByKind = { unique: [this.key, ...storedUnique(description)], others: storedIndexes(description) };
    this.indexes = [...this.indexesByKind.unique, ...this.indexesByKind.others];
    this.guarded = new Set([...this.key, ...storedUnique(description).flat()]);
    this.#byName = new Map(this.columns.map((column) => [column.name, column]));
    this.#encoders = this.columns.map(({ name, codec }) => [name, codec.encode] as const);
  }

  /**
   * Returns the column of a field. @throws for an unknown field, so that SQL contains only names from the description.
   */
  column(name: string): Column {
    const column = this.#byName.get(name);
    if (column === undefined) throw new TypeError(`${this.name} has no column '${name}'`);
    return column;
  }

  /** Returns the selection of these fields. @throws for an unknown field. */
  selection(fields: readonly string[]): ColumnSelection {
    const names = fields.join(" ");
    let selection = this.#selections.get(names);
    if (selection === undefined) {
      const columns = fields.map((name) => this.column(name));
      this.#selections.set(names, (selection = selectionOf(++this.#lastSelection, columns)));
    }
    return selection;
  }

  /** Appends a row's values to `values`, in the order of the columns. */
  encode(row: AnyRow, values: BoundValue[]): void {
    for (const [name, encode] of this.#encoders) values.push(bind(row[name] ?? null, encode));
  }
}

function selectionOf(key: number, columns: readonly Column[]): ColumnSelection {
  return {
    key,
    list: sql.join(columns.map(({ ref, name, renamed }) => (renamed ? sql`${ref} as ${sql.id(name)}` : ref))),
    decoders: columns.flatMap(({ name, codec }) => (codec.decode ? [[name, codec.decode] as const] : [])),
  };
}

/**
 * Decodes a row that the driver returned. Changes the row in place, because the driver returns each row object only
 * once.
 */
export function decodeRow(row: { [column: string]: unknown }, { decoders }: ColumnSelection): AnyRow {
  for (const [name, decode] of decoders) {
    const value = row[name];
    if (value !== null) row[name] = decode(value);
  }
  // Every column now has its field's type: columns without a decoder already had it.
  return row as AnyRow;
}

/** Returns the value to bind for a column. */
export function bind(value: Value, encode: ((value: Value) => BoundValue) | undefined): BoundValue {
  if (value === null) return null;
  if (encode !== undefined) return encode(value);
  if (typeof value === "object") throw new TypeError("a field that is not a list or an object must have a scalar value");
  return value;
}
