import type { AnyRow, Collection, FieldName, FoundRow, Match } from "./contract.ts";

/**
 * Returns the row that matches. If several do, returns one of them.
 * @param fields the fields that the caller needs. Default: all.
 */
export async function findOne<Row extends AnyRow, F extends FieldName<Row> = never>(
  collection: Pick<Collection<Row>, "find">,
  where: Match<Row>,
  fields?: readonly F[],
): Promise<FoundRow<Row, F> | undefined> {
  const [row] = await collection.find({ where, ...(fields && { fields }), limit: 1 });
  return row;
}
