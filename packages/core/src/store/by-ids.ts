import type { AnyRow, Collection, FieldName, Match } from "./contract.ts";
import { readAll } from "./read-all.ts";
import type { Scalar } from "./value.ts";

/** Maximum number of values in one `in` condition. */
const maximumValues = 50;

/** Splits a list into parts that are short enough for one `in` condition. */
export function splitIntoParts<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / maximumValues) }, (_, part) =>
    list.slice(part * maximumValues, (part + 1) * maximumValues),
  );
}

/**
 * Returns the rows with these ids, each once and in the order of the ids. Ids without a row are ignored. Without ids,
 * no query is sent.
 */
export async function findByIds<Row extends AnyRow>(
  collection: Pick<Collection<Row>, "find">,
  key: FieldName<Row>,
  ids: readonly Scalar[],
): Promise<readonly Row[]> {
  const wanted = [...new Set(ids)];
  const found = new Map<unknown, Row>();
  for (const part of splitIntoParts(wanted)) {
    for (const row of await collection.find({ where: oneOf(key, part), limit: maximumValues })) found.set(row[key], row);
  }
  return wanted.map((id) => found.get(id)).filter((row) => row !== undefined);
}

/**
 * Returns every row whose `field` has one of these ids and that matches `where`. Without ids, no query is sent.
 * @param order the key, or the fields of an index that ends in the key.
 */
export async function readAllByIds<Row extends AnyRow>(
  collection: Collection<Row>,
  order: readonly string[],
  field: FieldName<Row>,
  ids: readonly Scalar[],
  where?: Match<Row>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const part of splitIntoParts(ids)) rows.push(...(await readAll(collection, order, { ...where, ...oneOf(field, part) })));
  return rows;
}

// Returns a condition on a field whose type the compiler does not know here. Callers pass ids that belong to the
// collection.
const oneOf = <Row>(field: FieldName<Row>, values: readonly Scalar[]): Match<Row> => ({ [field]: { in: values } }) as Match<Row>;
