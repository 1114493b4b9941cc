import { inParts } from "./by-ids.ts";
import type { AnyRow, Collection, Match } from "./contract.ts";

/** Rows read at once. */
const chunk = 500;

/**
 * Removes every row that matches, in chunks, so that no statement holds locks for long and a crash leaves less to do. Repeatable.
 * @param key the field that identifies a row.
 */
export async function removeAll<Row extends AnyRow>(
  collection: Collection<Row>,
  where: Match<Row>,
  key: keyof Row & string,
): Promise<void> {
  for (;;) {
    const rows = await collection.find({ where, limit: chunk });
    for (const keys of inParts(rows.map((row) => row[key]))) {
      // The condition of the caller, narrowed to rows that were read.
      await collection.delete({ ...where, [key]: { in: keys } } as Match<Row>);
    }
    if (rows.length < chunk) return;
  }
}
