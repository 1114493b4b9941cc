import { splitIntoParts } from "./by-ids.ts";
import type { AnyRow, Collection, FieldName, Match } from "./contract.ts";
import type { WorkLimit } from "./work-limit.ts";

/** Maximum number of rows that are read and deleted at once. */
const chunk = 500;

/**
 * Deletes every matching row in chunks. Therefore no statement holds locks for long, a crash leaves fewer rows to
 * delete, and other requests run between two chunks. Safe to repeat.
 * @param key the field that identifies a row among those that match.
 * @param limit counts the deleted rows.
 * @throws if the row limit is reached; see {@link WorkLimit.run}.
 */
export async function removeAll<Row extends AnyRow>(
  collection: Collection<Row>,
  where: Match<Row>,
  key: FieldName<Row>,
  limit: WorkLimit,
): Promise<void> {
  for (;;) {
    const rows: readonly { readonly [field: string]: unknown }[] = await collection.find({ where, limit: chunk, fields: [key] });
    for (const keys of splitIntoParts([...new Set(rows.map((row) => row[key]))])) {
      // The caller's condition, restricted to the rows that were read.
      await collection.delete({ ...where, [key]: { in: keys } } as Match<Row>);
    }
    if (rows.length === 0) return;
    await limit.batch(rows.length);
    if (rows.length < chunk) return;
  }
}
