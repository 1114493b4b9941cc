import { firstUlidAt } from "../ulid.ts";
import type { Filter } from "../contract.ts";
import { matchesFilter } from "../match.ts";
import type { Scalar } from "../value.ts";
import type { Operand, Query, Term } from "./ast.ts";
import { QueryError } from "./error.ts";
import { findField, type FieldMatch, type SearchTable } from "./fields.ts";
import { booleanOf, integerOf, periodOf, typedOf, type WrittenLiteral } from "./literals.ts";
import { parseQuery } from "./parser.ts";

type Comparison = "eq" | "lt" | "lte" | "gt" | "gte" | "prefix" | "contains";
type TextOperand = Extract<Operand, { kind: "text" }>;
type RangeOperand = Extract<Operand, { kind: "range" }>;

/**
 * Compiles a `q` parameter to a tree of conditions on the fields of a collection. Returns undefined for a blank `q`.
 * @throws {QueryError} that contains the position of the error.
 */
export function compileQuery(q: string, table: SearchTable): Filter | undefined {
  const query = parseQuery(q);
  if (query !== undefined && table.isIndexed === true && !hasIndexedCondition(query))
    throw new QueryError(query.at, "add a condition on a value: 'NOT' and '_exists_' can only narrow a search here");
  return query && compileParsedQuery(query, table);
}

/** Whether every alternative of a query has a condition that an index serves. */
function hasIndexedCondition(query: Query): boolean {
  switch (query.kind) {
    case "and":
      return query.parts.some(hasIndexedCondition);
    case "or":
      return query.parts.every(hasIndexedCondition);
    case "not":
      return false;
    case "term":
      return query.operand.kind !== "exists";
  }
}

/**
 * Compiles a parsed query to a tree of conditions. A range becomes two comparisons. So if the value is a list, one
 * element may match the lower end of the range and another element the upper end.
 */
export function compileParsedQuery(query: Query, table: SearchTable): Filter {
  switch (query.kind) {
    case "and":
      return { and: query.parts.map((part) => compileParsedQuery(part, table)) };
    case "or":
      return { or: query.parts.map((part) => compileParsedQuery(part, table)) };
    case "not":
      return absence(query.part, table) ?? { not: compileParsedQuery(query.part, table) };
    case "term":
      return query.field ? condition(findField(query.field, table), query.operand) : word(query, table);
  }
}

/**
 * Compiles `NOT _exists_:last_login` for a field whose missing value is stored as a sentinel. The result is an
 * equality, which a flat condition and an index support.
 */
function absence(query: Query, table: SearchTable): Filter | undefined {
  if (query.kind !== "term" || query.field === undefined || query.operand.kind !== "exists") return undefined;
  const found = findField(query.field, table);
  return found.search.missing === undefined ? undefined : leaf(found, "eq", found.search.missing);
}

/**
 * Compiles a bare word to a search in each default field: anywhere if the field allows `contains`, otherwise at its
 * start.
 */
function word({ operand, at }: Term, { words = [] }: SearchTable): Filter {
  if (words.length === 0) throw new QueryError(at, "a value needs a field before it");
  if (operand.kind === "text" && operand.text === "") throw new QueryError(at, "an empty phrase matches everything");
  const conditions = words.map((search) => {
    const match = search.contains ? "contains" : "prefix";
    return condition(
      { search, path: search.path ?? [] },
      operand.kind === "text" && operand.match === "whole" ? { ...operand, match } : operand,
    );
  });
  return oneOrAll("or", conditions);
}

function condition(found: FieldMatch, operand: Operand): Filter {
  const { missing } = found.search;
  if (operand.kind === "exists") return missing === undefined ? leaf(found, "exists") : leaf(found, "gt", missing);
  if (found.search.type === "object" && found.path.length === 0)
    throw new QueryError(operand.at, "name a member of this field, as in app_metadata.plan");
  const filter = operand.kind === "text" ? text(found, operand) : range(found, operand);
  const matchesMissing = missing !== undefined && matchesFilter({ [found.search.field]: missing }, filter);
  return matchesMissing ? { and: [filter, leaf(found, "gt", missing)] } : filter;
}

function text(found: FieldMatch, operand: TextOperand): Filter {
  const { type, contains } = found.search;
  if (operand.match === "whole") return equal(found, operand);
  if (type === "integer" || type === "instant" || type === "ulid-time" || type === "boolean")
    throw new QueryError(operand.at, "this field does not support '*' inside a value");
  if (operand.match === "suffix") throw new QueryError(operand.at, "a '*' at the start of a value requires another '*' at the end");
  if (operand.match === "contains" && !contains) throw new QueryError(operand.at, "this field supports '*' only at the end of a value");
  return leaf(found, operand.match, textOf(found, operand));
}

function equal(found: FieldMatch, written: WrittenLiteral): Filter {
  switch (found.search.type) {
    case "string":
    case "folded":
      return leaf(found, "eq", textOf(found, written));
    case "integer":
      return leaf(found, "eq", integerOf(written));
    case "boolean":
      return leaf(found, "eq", booleanOf(written));
    case "instant":
    case "ulid-time": {
      const { start, end } = periodIn(found.search.type, written);
      const isOneValue = typeof start === "number" && end === start + 1;
      return isOneValue ? leaf(found, "eq", start) : { and: [leaf(found, "gte", start), leaf(found, "lt", end)] };
    }
    case "object": {
      const typed = typedOf(written);
      const same = leaf(found, "eq", written.text);
      return typed === undefined ? same : { or: [leaf(found, "eq", typed), same] };
    }
  }
}

function range(found: FieldMatch, { lower, upper, at }: RangeOperand): Filter {
  if (found.search.type === "boolean") throw new QueryError(at, "this field does not support ranges");
  return oneOrAll("and", [
    ...(lower ? [above(found, lower, lower.inclusive)] : []),
    ...(upper ? [below(found, upper, upper.inclusive)] : []),
  ]);
}

/** Compiles a lower bound. "Greater than a date" means after the end of that day, not after its first moment. */
function above(found: FieldMatch, written: WrittenLiteral, inclusive: boolean): Filter {
  const { type } = found.search;
  if (type !== "instant" && type !== "ulid-time") return leaf(found, inclusive ? "gte" : "gt", pointOf(found, written));
  const { start, end } = periodIn(type, written);
  return leaf(found, "gte", inclusive ? start : end);
}

function below(found: FieldMatch, written: WrittenLiteral, inclusive: boolean): Filter {
  const { type } = found.search;
  if (type !== "instant" && type !== "ulid-time") return leaf(found, inclusive ? "lte" : "lt", pointOf(found, written));
  const { start, end } = periodIn(type, written);
  return leaf(found, "lt", inclusive ? end : start);
}

/** Returns the bounds of a period as a field of this type stores them: the first value in it, and the first after it. */
function periodIn(type: "instant" | "ulid-time", written: WrittenLiteral): { readonly start: Scalar; readonly end: Scalar } {
  const { start, end } = periodOf(written);
  return type === "instant" ? { start, end } : { start: firstUlidAt(start), end: firstUlidAt(end) };
}

function pointOf(found: FieldMatch, written: WrittenLiteral): Scalar {
  if (found.search.type === "integer") return integerOf(written);
  const typed = found.search.type === "object" ? typedOf(written) : undefined;
  return typeof typed === "number" ? typed : textOf(found, written);
}

function textOf({ search }: FieldMatch, { text: written }: WrittenLiteral): string {
  if (search.type !== "folded") return written;
  return search.fold === undefined ? written.toLowerCase() : search.fold(written);
}

function leaf({ search, path }: FieldMatch, op: Comparison | "exists", value?: Scalar): Filter {
  return { field: search.field, ...(path.length > 0 && { path }), op, ...(value !== undefined && { value }) };
}

function oneOrAll(kind: "and" | "or", filters: readonly Filter[]): Filter {
  const [only, ...others] = filters;
  if (only !== undefined && others.length === 0) return only;
  return kind === "and" ? { and: filters } : { or: filters };
}
