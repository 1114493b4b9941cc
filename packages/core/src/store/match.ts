import type { AnyRow, Condition, Filter, Match, Operators } from "./contract.ts";
import type { Json, Scalar, Value } from "./value.ts";

/**
 * Compares two strings by code point. That is also the byte order in UTF-8 and in a binary collation. JavaScript's `<`
 * compares UTF-16 units and sorts emoji before some letters.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Compares two values of one field: text by code point, numbers by value, false before true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  return typeof a === "string" && typeof b === "string" ? compareText(a, b) : Number(a) - Number(b);
}

/** Whether a row matches every condition. For adapters whose store cannot evaluate conditions. */
export function matches(row: AnyRow, where: Match<AnyRow>): boolean {
  for (const field of Object.keys(where)) {
    const condition = where[field];
    if (condition === undefined || !holds(row[field] ?? null, condition)) return false;
  }
  return true;
}

function holds(value: Value, condition: Condition<Scalar | null>): boolean {
  if (condition === null || typeof condition !== "object") return value === condition;
  if ("exists" in condition) return (value !== null) === condition.exists;
  return isScalar(value) && compares(value, condition);
}

function compares(value: Scalar, operators: Operators<Scalar>): boolean {
  const { in: list, lt, lte, gt, gte, prefix, contains } = operators;
  return (
    (list === undefined || list.includes(value)) &&
    (lt === undefined || compareScalars(value, lt) < 0) &&
    (lte === undefined || compareScalars(value, lte) <= 0) &&
    (gt === undefined || compareScalars(value, gt) > 0) &&
    (gte === undefined || compareScalars(value, gte) >= 0) &&
    (prefix === undefined || (typeof value === "string" && value.startsWith(prefix))) &&
    (contains === undefined || (typeof value === "string" && value.includes(contains)))
  );
}

const isScalar = (value: unknown): value is Scalar => typeof value === "string" || typeof value === "number" || typeof value === "boolean";

/** Whether a row matches a condition tree. For adapters whose store cannot evaluate the tree. */
export function matchesFilter(row: AnyRow, filter: Filter): boolean {
  if ("and" in filter) return filter.and.every((part) => matchesFilter(row, part));
  if ("or" in filter) return filter.or.some((part) => matchesFilter(row, part));
  if ("not" in filter) return !matchesFilter(row, filter.not);
  const found = valuesAt(row[filter.field] ?? null, filter.path ?? []);
  if (filter.op === "exists") return found.length > 0;
  const { op, value } = filter;
  return found.some(
    (candidate) => isScalar(candidate) && value !== undefined && typeof candidate === typeof value && test(op, candidate, value),
  );
}

function test(op: "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains", candidate: Scalar, value: Scalar): boolean {
  return op === "eq" ? candidate === value : compares(candidate, { [op]: value });
}

/** Returns the values at a path: nothing if the value is missing or null; each element if the value is an array. */
function valuesAt(value: Json | readonly string[], path: readonly string[]): readonly Json[] {
  let at: Json | undefined = value;
  for (const name of path) {
    if (at === null || typeof at !== "object" || Array.isArray(at) || !Object.hasOwn(at, name)) return [];
    at = member(at, name);
  }
  if (at === null || at === undefined) return [];
  return Array.isArray(at) ? at.filter((item) => item !== null) : [at];
}

function member(parent: Json, name: string): Json | undefined {
  return parent !== null && typeof parent === "object" && !Array.isArray(parent)
    ? (parent as { readonly [name: string]: Json })[name]
    : undefined;
}
