import { storedFields, storedIndexes, storedKey, storedUnique, type Field } from "@postern/core/adapter";
import { collectionDescriptions } from "./rows.ts";

/** The layout of a table, as a database reports it or as a description requires it. */
interface Layout {
  readonly columns: { readonly [name: string]: string };
  readonly key: readonly string[];
  /** Each index as a text that contains its columns in order. The list is sorted. */
  readonly unique: readonly string[];
  readonly indexes: readonly string[];
}

/**
 * Returns the tables that the descriptions require. `type` returns the name that the database reports for the type of a
 * field.
 */
export function wanted(type: (field: Field) => string): { [table: string]: Layout } {
  return Object.fromEntries(
    collectionDescriptions.map((description) => [
      `postern_${description.name}`,
      {
        columns: Object.fromEntries(
          Object.entries(storedFields(description)).map(([name, field]) => [name, `${type(field)}${field.nullable ? "" : " not null"}`]),
        ),
        key: storedKey(description),
        unique: lists(storedUnique(description)),
        indexes: lists(storedIndexes(description)),
      },
    ]),
  );
}

const lists = (columns: readonly (readonly string[])[]): string[] =>
  columns.map((list) => list.join(", ")).toSorted((a, b) => (a < b ? -1 : 1));

/** One column in an index, as the database's catalogue lists it. */
export interface IndexedColumn {
  readonly table: string;
  readonly index: string;
  readonly kind: "key" | "unique" | "index";
  readonly position: number;
  readonly column: string;
}

/** One column of a table, with the name of its type as the database reports it. */
export interface TypedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** Returns the tables that exist in the database. */
export function found(columns: readonly TypedColumn[], indexed: readonly IndexedColumn[]): { [table: string]: Layout } {
  const tables = [...new Set(columns.map(({ table }) => table))].filter((table) => !table.startsWith("postern_migration"));
  return Object.fromEntries(
    tables.map((table) => {
      const of = (kind: IndexedColumn["kind"]): string[][] => {
        const parts = indexed.filter((part) => part.table === table && part.kind === kind).toSorted((a, b) => a.position - b.position);
        return [...new Set(parts.map(({ index }) => index))].map((index) =>
          parts.filter((part) => part.index === index).map(({ column }) => column),
        );
      };
      return [
        table,
        {
          columns: Object.fromEntries(columns.filter((column) => column.table === table).map(({ column, type }) => [column, type])),
          key: of("key")[0] ?? [],
          unique: lists(of("unique")),
          indexes: lists(of("index")),
        },
      ];
    }),
  );
}
