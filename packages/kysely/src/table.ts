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
import type { Bound, Codec, Dialect } from "./dialect.ts";
import { tableName, tableRef } from "./names.ts";
import type { HostTable } from "./host-tables.ts";

/** A column with its name as SQL. */
export interface Column {
  readonly name: string;
  readonly field: Field;
  readonly ref: RawBuilder<unknown>;
  /** Its name in the table is another one. */
  readonly renamed: boolean;
  readonly codec: Codec;
}

/** The columns that a question wants, and how their values are read. */
export interface Selection {
  /** Tells this selection from others of the same table. */
  readonly key: string;
  readonly list: RawBuilder<unknown>;
  readonly decoders: readonly (readonly [string, (value: unknown) => Value])[];
}

/** A collection's table: everything about it that is worth working out only once. */
export class Table {
  readonly name: string;
  readonly ref: RawBuilder<unknown>;
  /** Whether the host made it. */
  readonly isHostTable: boolean;
  readonly columns: readonly Column[];
  /** Every column, as an insert names them. */
  readonly inserted: RawBuilder<unknown>;
  /** Every column. */
  readonly all: Selection;
  readonly key: readonly string[];
  /** The columns of every index, that of the key and those of unique keys among them. */
  readonly indexes: readonly (readonly string[])[];
  /** Columns whose change may meet a unique key. */
  readonly guarded: ReadonlySet<string>;
  readonly #byName: ReadonlyMap<string, Column>;
  /** Core names the fields of a question in the same list each time. */
  readonly #selections = new WeakMap<readonly string[], Selection>();
  readonly #encoders: readonly (readonly [string, ((value: Value) => Bound) | undefined])[];

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

  /** @throws for a name that the description does not know, so that no other name ever becomes SQL. */
  column(name: string): Column {
    const column = this.#byName.get(name);
    if (column === undefined) throw new TypeError(`${this.name} has no column '${name}'`);
    return column;
  }

  /** The columns of these fields. @throws for a name that the description does not know. */
  selection(fields: readonly string[]): Selection {
    let selection = this.#selections.get(fields);
    if (selection === undefined) {
      const columns = fields.map((name) => this.column(name));
      this.#selections.set(fields, (selection = selectionOf(fields.join(" "), columns)));
    }
    return selection;
  }

  /** Adds a row's values to `values`, in the order of the columns. */
  encode(row: AnyRow, values: Bound[]): void {
    for (const [name, encode] of this.#encoders) values.push(bind(row[name] ?? null, encode));
  }
}

function selectionOf(key: string, columns: readonly Column[]): Selection {
  return {
    key,
    list: sql.join(columns.map(({ ref, name, renamed }) => (renamed ? sql`${ref} as ${sql.id(name)}` : ref))),
    decoders: columns.flatMap(({ name, codec }) => (codec.decode ? [[name, codec.decode] as const] : [])),
  };
}

/** Turns a row as the driver made it into what was stored. The driver hands over each row once, so it is changed in place. */
export function decodeRow(row: { [column: string]: unknown }, { decoders }: Selection): AnyRow {
  for (const [name, decode] of decoders) {
    const value = row[name];
    if (value !== null) row[name] = decode(value);
  }
  // Every column is now as the description says: those without a decoder were already.
  return row as AnyRow;
}

/** What to bind for a value of a column. */
export function bind(value: Value, encode: ((value: Value) => Bound) | undefined): Bound {
  if (value === null) return null;
  if (encode !== undefined) return encode(value);
  if (typeof value === "object") throw new TypeError("a list or an object was given for a plain field");
  return value;
}
