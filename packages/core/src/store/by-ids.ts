import type { AnyRow, Collection, FieldName, Match } from "./contract.ts";
import { readAll } from "./read-all.ts";
import type { Scalar } from "./value.ts";

/** Values that one condition may name: `Operators.in`. */
const most = 50;

/** A list in parts, each of which one `in` can name. */
export function inParts<T>(list: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(list.length / most) }, (_, part) => list.slice(part * most, (part + 1) * most));
}

/** The rows with these ids, each once and in the order of the ids. An id that no row has is left out; without ids no store is asked. */
export async function findByIds<Row extends AnyRow>(
  collection: Pick<Collection<Row>, "find">,
  key: FieldName<Row>,
  ids: readonly Scalar[],
): Promise<readonly Row[]> {
  const wanted = [...new Set(ids)];
  const found = new Map<unknown, Row>();
  for (const part of inParts(wanted)) {
    for (const row of await collection.find({ where: oneOf(key, part), limit: most })) found.set(row[key], row);
  }
  return wanted.map((id) => found.get(id)).filter((row) => row !== undefined);
}

/**
 * Every row of which `field` names one of these ids, and that matches `where` as well; without ids no store is asked.
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
  for (const part of inParts(ids)) rows.push(...(await readAll(collection, order, { ...where, ...oneOf(field, part) })));
  return rows;
}

// One condition on a field whose type the compiler does not know here: callers name the ids of their own collection.
const oneOf = <Row>(field: FieldName<Row>, values: readonly Scalar[]): Match<Row> => ({ [field]: { in: values } }) as Match<Row>;
