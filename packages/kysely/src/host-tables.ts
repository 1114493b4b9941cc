import { schema, storedFields, type CollectionDescription, type CollectionName } from "@postern/core/adapter";

/** A table of the host's that holds a collection. */
export interface HostTable {
  /** Its name. It is in the schema where Postern's own tables are. */
  readonly table: string;
  /** The columns that have another name than their field, by field: `{ email: "mail" }`. */
  readonly columns?: { readonly [field: string]: string };
}

/**
 * Tables of the host's in the place of Postern's, by collection. Such a table has a column for each field of the collection, of the type that `postern migrate sql` prints, and the same key, unique keys and
 * indexes; `migrate()` never touches it. Columns besides are the host's: they are nullable or have a default, since Postern makes rows without them.
 */
export type HostTables = { readonly [Name in CollectionName]?: HostTable };

/**
 * Looks through what the host says of its tables.
 * @throws {TypeError} for a collection or a field that there is not, and for a column that is said twice or has the name of another field: a list sorted by one would be sorted by the other.
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
