import type { AnyRow, Collection, Match } from "./contract.ts";
import { endOfTurn } from "./turn.ts";
import type { Scalar } from "./value.ts";

const page = 500;

/**
 * Reads every matching row, page by page, and yields to the event loop between pages. Use it for settings, of which a
 * tenant has dozens or hundreds.
 * @param order the key, or the fields of an index that ends in the key.
 */
export async function readAll<Row extends AnyRow>(
  collection: Collection<Row>,
  order: readonly string[],
  where: Match<Row>,
): Promise<readonly Row[]> {
  const fields = order as readonly (keyof Row & string)[];
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const found = await collection.find({
      where,
      orderBy: { fields, direction: "asc" },
      limit: page,
      ...(last !== undefined && { after: fields.map((field) => last[field] as Scalar) }),
    });
    rows.push(...found);
    if (found.length < page) return rows;
    await endOfTurn();
  }
}
