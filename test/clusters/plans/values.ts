import { storedFields, type AnyRow, type CollectionDescription, type Filter, type Match, type Value } from "@postern/core/adapter";
import type { RecordedCall } from "../../support/record-calls.ts";

type Condition = Match<AnyRow>[string];

/** Fields that the product compares with the current time. */
const comparedWithNow = /^(expires_at|purge_at|idle_expires_at|lease_until|leased_until|next_at|deleting_at|retires_at)$/;

/**
 * Returns a call with values that exist in the table, instead of those of the test that recorded the call. Null, '' and
 * false stay, because they mean something else than other values.
 * @param samples rows of one tenant.
 */
export function withStoredValues(
  call: RecordedCall,
  description: CollectionDescription,
  samples: readonly AnyRow[],
  now: number,
): RecordedCall {
  const fields = storedFields(description);
  const stored = (field: string, recorded: Value, skip = 0): Value => {
    const values = samples.map((row) => row[field]).filter((value) => value !== null && value !== undefined && value !== "");
    const value = values[skip % Math.max(values.length, 1)];
    if (value === undefined) return recorded;
    if (fields[field]?.type === "boolean") return recorded;
    return fields[field]?.type === "instant" || fields[field]?.type === "integer" ? Number(value) : String(value);
  };
  const compared = (field: string, operator: string, recorded: Value): Value => {
    if (fields[field]?.type === "instant" && comparedWithNow.test(field)) return now;
    const value = stored(field, recorded);
    if (typeof value === "string" && (operator === "prefix" || operator === "contains"))
      return value.slice(0, Math.max(1, value.length - 1));
    // The end of a range is after its beginning.
    return typeof value === "number" && operator.startsWith("lt") ? value + 60_000 : value;
  };
  const condition = (field: string, recorded: Condition): Condition => {
    if (recorded === null || recorded === "" || typeof recorded === "boolean") return recorded;
    if (typeof recorded !== "object") return stored(field, recorded) as Condition;
    if ("exists" in recorded) return recorded;
    return Object.fromEntries(
      Object.entries(recorded).map(([operator, value]): [string, unknown] => [
        operator,
        Array.isArray(value) ? value.map((one: Value, i) => stored(field, one, i)) : compared(field, operator, value as Value),
      ]),
    ) as Condition;
  };
  const inFilter = (filter: Filter): Filter => {
    if ("and" in filter) return { and: filter.and.map(inFilter) };
    if ("or" in filter) return { or: filter.or.map(inFilter) };
    if ("not" in filter) return { not: inFilter(filter.not) };
    const { field, op, value, path } = filter;
    const type = fields[field]?.type;
    if (value === undefined || path !== undefined || type === "object" || type === "strings" || typeof value === "boolean") return filter;
    return { ...filter, value: (op === "eq" ? stored(field, value) : compared(field, op, value)) as typeof value };
  };
  const { find } = call;
  const after = find?.after?.map((value, i) => stored(find.orderBy?.fields[i] ?? "", value) as typeof value);
  return {
    ...call,
    where: Object.fromEntries(Object.entries(call.where).map(([field, value]) => [field, condition(field, value)])) as Match<AnyRow>,
    ...(call.filter && { filter: inFilter(call.filter) }),
    ...(find && { find: { ...find, ...(after && { after }) } }),
  };
}
