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

/** A whole row of a collection: empty but for the values given. */
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

/** A collection without its row type, for tests that make rows from descriptions. */
export function untyped(data: Pick<DataAdapter, "collections">, name: CollectionName): Collection {
  return data.collections[name] as unknown as Collection;
}

/** Every description, with the type that hides which one it is. */
export const descriptions: readonly CollectionDescription[] = Object.values(schema);
