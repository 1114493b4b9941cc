import { schema, storedFields, type CollectionDescription, type CollectionName } from "@postern/core/adapter";

/** A table of the host that stores a collection. */
export interface HostTable {
  /** The name of the table. It is in the same schema as Postern's tables. */
  readonly table: string;
  /** Columns whose name differs from their field, by field: `{ email: "mail" }`. */
  readonly columns?: { readonly [field: string]: string };
}

/**
 * Tables of the host that replace Postern's, by collection. Such a table needs a column for each field of the
 * collection, with the type that `postern migrate sql` prints, and the same primary key, unique keys and indexes.
 * `migrate()` never changes it. Additional columns must be nullable or have a default, because Postern inserts rows
 * without them.
 */
export type HostTables = { readonly [Name in CollectionName]?: HostTable };

/**
 * Checks the description of the host's tables.
 * @throws {TypeError} for an unknown collection or field, a duplicate column, or a column with the name of another
 * field. With the latter, a list sorted by one field would be sorted by the other.
 */
export function checkHostTables(tables: HostTables): void {
  const descriptions = new Map<string, CollectionDescription>(Object.values(schema).map((description) => [description.name, description]));
  for (const [collection, { table, columns = {} }] of Object.entries(tables)) {
    const description = descriptions.get(collection);
    if (description === undefined) throw new TypeError(`tables: there is no collection '${collection}'`);
    const fields = new Set(Object.keys(storedFields(description)));
    const seen = new Set<string>();
    for (const [field, column] of Object.entries(columns)) {
      if (!fields.has(field)) throw new TypeError(`tables: the collection '${collection}' has no field '${field}'`);
      if (seen.has(column) || (column !== field && fields.has(column)))
        throw new TypeError(`tables: the column '${column}' of '${table}' stands for two fields`);
      seen.add(column);
    }
  }
}
