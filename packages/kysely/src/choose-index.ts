import type { AnyRow, Match } from "@postern/core/adapter";

/** How to write a statement so that planners use one index. */
export interface IndexChoice {
  /**
   * The columns that have a condition but are not at the beginning of the index. Planners must not use another index
   * for them.
   */
  readonly hidden: ReadonlySet<string>;
  /** The columns by which to sort if the query has no order. The index has this order, so nothing is sorted. */
  readonly order: readonly string[];
  /** Whether planners must not use an index for the order of the query, because at most a few rows match. */
  readonly hidesOrder: boolean;
}

/** The indexes of a table. */
export interface Indexes {
  /** The key and the unique keys. */
  readonly unique: readonly (readonly string[])[];
  readonly others: readonly (readonly string[])[];
}

/** An index that a query can use. */
interface Candidate {
  readonly index: readonly string[];
  /** The number of its first columns that are compared with values. */
  readonly prefix: number;
  /** The number of these columns whose conditions are selective, without the tenant. */
  readonly selectiveColumns: number;
  /** Whether the column after them has a range. */
  readonly hasRange: boolean;
  /** Whether the index has the order of the query. */
  readonly ordered: boolean;
}

type FieldCondition = Match<AnyRow>[string];

const noChoice: IndexChoice = { hidden: new Set(), order: [], hidesOrder: false };

/**
 * Chooses the index for the flat condition of a query, by the same rules for every database and every amount of data.
 * Planners choose by statistics, which may be old or missing. They then use an index for a condition that most rows
 * match, such as `deleting_at is null`, or read the table from its beginning until a page is full.
 * @param query whether the query reads a page of the matching rows, or counts, changes or deletes all of them.
 */
export function chooseIndex(
  { unique, others }: Indexes,
  where: Match<AnyRow>,
  query: "page" | "set",
  orderBy?: readonly string[],
): IndexChoice {
  const isOpen = (field: string): boolean => !isPinned(where[field]);
  const complete = unique.find((index) => index.every((field) => isSelective(where[field])));
  if (complete !== undefined) {
    return { hidden: outside(where, complete), order: [], hidesOrder: orderBy?.some(isOpen) ?? false };
  }

  const candidates = [...unique, ...others].map((index): Candidate => {
    const end = index.findIndex(isOpen);
    const prefix = end === -1 ? index.length : end;
    const rest = index.slice(prefix).filter(isOpen);
    return {
      index,
      prefix,
      selectiveColumns: index.slice(0, prefix).filter((field) => field !== "tenant_id" && isSelective(where[field])).length,
      hasRange: isRange(where[index[prefix] ?? ""]),
      ordered: orderBy === undefined || orderBy.filter(isOpen).every((field, i) => field === rest[i]),
    };
  });
  const isList = !Object.entries(where).some(([field, condition]) => field !== "tenant_id" && isSelective(condition));
  const best = isList ? bestForList(candidates, where, query) : bestForFewRows(candidates);
  if (best === undefined) return noChoice;
  const { index, prefix, ordered, hasRange } = best;
  const used = index.slice(0, prefix + (hasRange ? 1 : 0));
  // After a column that is compared with several values, the index does not return rows in the order of its next
  // columns.
  const isSorted = index.slice(0, prefix).every((field) => isConstant(where[field]));
  return { hidden: outside(where, used), order: isSorted ? index.slice(prefix) : [], hidesOrder: !ordered };
}

function bestForFewRows(candidates: readonly Candidate[]): Candidate | undefined {
  const selective = candidates.filter((candidate) => candidate.selectiveColumns > 0);
  const ordered = selective.filter((candidate) => candidate.ordered);
  return greatest(ordered.length > 0 ? ordered : selective, (a, b) => {
    return a.selectiveColumns - b.selectiveColumns || a.prefix - b.prefix || Number(a.hasRange) - Number(b.hasRange);
  });
}

function bestForList(candidates: readonly Candidate[], where: Match<AnyRow>, query: "page" | "set"): Candidate | undefined {
  // For a page, any index that begins with the tenant is good enough. If all matching rows are read, an index with
  // another first column may use more conditions.
  const needsTenantFirst = query === "page" && isPinned(where["tenant_id"]);
  const useful = candidates.filter(({ index, ordered, prefix, hasRange }) => {
    return ordered && (prefix > 0 || hasRange) && (!needsTenantFirst || index[0] === "tenant_id");
  });
  return greatest(useful, (a, b) => Number(a.hasRange) - Number(b.hasRange) || a.prefix - b.prefix);
}

/** Returns the first of the greatest items. */
function greatest<T>(items: readonly T[], compare: (a: T, b: T) => number): T | undefined {
  return items.reduce<T | undefined>((best, item) => (best === undefined || compare(item, best) > 0 ? item : best), undefined);
}

function outside(where: Match<AnyRow>, used: readonly string[]): ReadonlySet<string> {
  return new Set(Object.keys(where).filter((field) => !used.includes(field)));
}

/** Whether a condition compares a column with values or with null. */
export function isPinned(condition: FieldCondition | undefined): boolean {
  return condition !== undefined && (condition === null || typeof condition !== "object" || "in" in condition || isNull(condition));
}

function isNull(condition: FieldCondition): boolean {
  return condition === null || (typeof condition === "object" && "exists" in condition && !condition.exists);
}

/** Whether a condition compares a column with one value or with null. */
export function isConstant(condition: FieldCondition | undefined): boolean {
  return isPinned(condition) && !(typeof condition === "object" && condition !== null && "in" in condition);
}

export function isRange(condition: FieldCondition | undefined): boolean {
  if (condition === undefined || condition === null || typeof condition !== "object") return false;
  return !("in" in condition) && !("exists" in condition) && !("contains" in condition);
}

/** Whether a condition compares with values that few rows have. Conditions on null, '' and false match most rows. */
export function isSelective(condition: FieldCondition | undefined): boolean {
  return condition !== undefined && isPinned(condition) && !isNull(condition) && condition !== "" && condition !== false;
}
