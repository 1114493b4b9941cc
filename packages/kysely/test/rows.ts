import {
  schema,
  storedFields,
  type AnyRow,
  type Collection,
  type CollectionDescription,
  type CollectionName,
  type DataAdapter,
  type Value,
} from "@postern/core/adapter";

/** Returns a complete row for a collection: the given values, and empty values in all other fields. */
export function row(name: CollectionName, values: AnyRow): AnyRow {
  const empty = Object.entries(storedFields(schema[name])).map(([field, { type, nullable }]): [string, Value] => {
    if (nullable) return [field, null];
    switch (type) {
      case "boolean":
        return [field, false];
      case "integer":
      case "instant":
        return [field, 0];
      case "strings":
        return [field, []];
      case "object":
        return [field, {}];
      default:
        return [field, ""];
    }
  });
  return { ...Object.fromEntries(empty), ...values };
}

/** Returns a collection without its row type, for tests that create rows from descriptions. */
export function untypedCollection(data: Pick<DataAdapter, "collections">, name: CollectionName): Collection {
  return data.collections[name] as unknown as Collection;
}

/** The descriptions of all collections. */
export const collectionDescriptions: readonly CollectionDescription[] = Object.values(schema);
