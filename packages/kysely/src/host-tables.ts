import { schema, storedFields, type CollectionDescription, type CollectionName } from "@postern/core/adapter";

/** A table of the host that stores the rows of a collection. */
export interface HostTable {
  /** The name of the table, which must be in the same schema as Postern's tables. */
  readonly table: string;
  /** The names of columns that differ from their field, by field: `{ email: "mail" }`. */
  readonly columns?: { readonly [field: string]: string };
}

/**
 * Host tables that replace Postern's tables, by collection. A host table needs a column for each field of the
 * collection, with the type that `postern migrate sql` prints, and the same primary key, unique keys and indexes as
 * Postern's table. `migrate()` never changes host tables. Additional columns must be nullable or have a default,
 * because Postern inserts rows without them.
 */
export type HostTables = { readonly [Name in CollectionName]?: HostTable };

/**
 * Validates the descriptions of the host tables.
 * @throws {TypeError} for an unknown collection or field, for a column that two fields use, or for a column that has
 * the name of another field. In the last case, a list that is sorted by one field would be sorted by the other.
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
