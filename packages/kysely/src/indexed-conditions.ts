import type { AnyRow, Filter, Match } from "@postern/core/adapter";
import { isPinned, isRange, isSelective } from "./choose-index.ts";

/** The conditions of a query that an index serves, because they are on the first columns of the index. */
interface IndexedConditions {
  /** The conditions on these columns in the flat condition. */
  readonly where: Match<AnyRow>;
  /** The conditions on these columns in the filter. */
  readonly parts: readonly Filter[];
  /** The columns of these conditions. */
  readonly fields: ReadonlySet<string>;
  /** Those of the columns that have a range in the flat condition. */
  readonly ranges: ReadonlySet<string>;
}

/** One conjunct of a filter, reduced to what matters for the choice of an index. */
interface Part {
  readonly field: string;
  readonly equal: boolean;
  readonly filter: Filter;
}

/**
 * Finds an index that serves conditions of the query but not its order, and returns these conditions: equalities and
 * ranges in the filter, and ranges in the flat condition. If few rows match them, reading and sorting these rows is
 * faster than reading the whole list in its order. Returns undefined in four cases: there are no such conditions, as in
 * most lists; there is no such index; one index serves both the conditions and the order, so planners use it; the flat
 * condition already selects few rows.
 * @param order the order of the query. Omitted for a count.
 */
export function conditionsOfFilterIndex(
  indexes: readonly (readonly string[])[],
  where: Match<AnyRow>,
  filter: Filter | undefined,
  order?: readonly string[],
): IndexedConditions | undefined {
  const flat = Object.entries(where);
  if (filter === undefined && !flat.some(([, condition]) => isRange(condition))) return undefined;
  if (flat.some(([field, condition]) => field !== "tenant_id" && isSelective(condition))) return undefined;
  const parts = filter === undefined ? [] : conjuncts(filter).flatMap(partOf);
  let best: IndexedConditions | undefined;
  for (const index of indexes) {
    const { ordered, chosen, ...answered } = read(index, where, parts, order);
    if (chosen === 0) continue;
    if (ordered) return undefined;
    if (answered.fields.size > (best?.fields.size ?? 0)) best = answered;
  }
  return best;
}

/**
 * Matches an index from the left: first columns that are compared for equality, then at most one column with a range.
 * The remaining columns may serve the order. `chosen` counts the conditions that select rows.
 */
function read(
  index: readonly string[],
  where: Match<AnyRow>,
  parts: readonly Part[],
  order: readonly string[] | undefined,
): IndexedConditions & { readonly ordered: boolean; readonly chosen: number } {
  const flat: { [field: string]: Match<AnyRow>[string] } = {};
  const taken: Filter[] = [];
  const settled = new Set<string>();
  let next = 0;
  for (; next < index.length; next++) {
    const field = index[next] ?? "";
    const equal = parts.find((part) => part.field === field && part.equal);
    const condition = where[field];
    if (condition !== undefined && isPinned(condition)) flat[field] = condition;
    else if (equal !== undefined) taken.push(equal.filter);
    else break;
    settled.add(field);
  }
  let chosen = taken.length;
  const fields = new Set(settled);
  const [field = "", ...others] = index.slice(next);
  const range = where[field];
  const ranges = parts.filter((part) => part.field === field);
  if (range !== undefined && isRange(range)) flat[field] = range;
  taken.push(...ranges.map((part) => part.filter));
  const flatRanges = new Set(field in flat ? [field] : []);
  if (flatRanges.size > 0 || ranges.length > 0) {
    fields.add(field);
    chosen++;
  }
  const ordered = order?.filter((name) => !settled.has(name)).every((name, i) => name === [field, ...others][i]) ?? false;
  return { where: flat, parts: taken, fields, ranges: flatRanges, ordered, chosen };
}

function conjuncts(filter: Filter): readonly Filter[] {
  return "and" in filter ? filter.and.flatMap(conjuncts) : [filter];
}

function partOf(filter: Filter): readonly Part[] {
  if ("or" in filter) {
    const [first, ...others] = filter.or.flatMap(partOf);
    const alike = first?.equal === true && others.length === filter.or.length - 1;
    return alike && others.every(({ field, equal }) => equal && field === first.field) ? [{ ...first, filter }] : [];
  }
  if (!("op" in filter) || filter.path !== undefined || filter.op === "contains" || filter.op === "exists") return [];
  return [{ field: filter.field, equal: filter.op === "eq", filter }];
}
