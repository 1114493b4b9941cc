import type { AnyRow, Condition, Filter, Match, Operators } from "../contract.ts";
import type { CollectionDescription } from "../description.ts";
import type { Scalar } from "../value.ts";

type Leaf = Extract<Filter, { readonly op: string }>;
type Flat = { [Operator in keyof Operators<Scalar>]?: Operators<Scalar>[Operator] } & { exists?: boolean };

const mostAlternatives = 50;
const typeOfField = { string: "string", integer: "number", instant: "number", boolean: "boolean" } as const;

/**
 * Converts a filter to an equivalent flat `where`. Adapters without filters need it, and so do adapters whose indexes
 * only `where` uses. Returns undefined if a conjunction of comparisons cannot express the filter, which is the case
 * for:
 *
 * - alternatives, unless all are values of one field,
 * - negations, except negated existence,
 * - members of objects,
 * - two bounds of the same kind on one field.
 */
export function flatten(filter: Filter, description: Pick<CollectionDescription, "fields">): Match<AnyRow> | undefined {
  const flat = new Map<string, Flat>();
  for (const part of conjuncts(filter)) {
    const piece = flatPiece(part, description);
    if (piece === undefined) return undefined;
    const before = flat.get(piece.field);
    const merged = before === undefined ? piece.condition : merge(before, piece.condition);
    if (merged === undefined) return undefined;
    flat.set(piece.field, merged);
  }
  return flat.size === 0 ? undefined : Object.fromEntries([...flat].map(([field, condition]) => [field, simplest(condition)]));
}

function conjuncts(filter: Filter): readonly Filter[] {
  return "and" in filter ? filter.and.flatMap(conjuncts) : [filter];
}

interface Piece {
  readonly field: string;
  readonly condition: Flat;
}

function flatPiece(filter: Filter, description: Pick<CollectionDescription, "fields">): Piece | undefined {
  if ("and" in filter) return undefined;
  if ("or" in filter) return alternatives(filter.or, description);
  if ("not" in filter) {
    const inner = "op" in filter.not && filter.not.op === "exists" ? flatPiece(filter.not, description) : undefined;
    return inner && { field: inner.field, condition: { exists: false } };
  }
  if (!fits(filter, description)) return undefined;
  if (filter.op === "exists") return { field: filter.field, condition: { exists: true } };
  if (filter.value === undefined) return undefined;
  return { field: filter.field, condition: filter.op === "eq" ? { in: [filter.value] } : { [filter.op]: filter.value } };
}

/** Whether a flat condition can name this field, with a value of the field's type. */
function fits({ field, path, op, value }: Leaf, { fields }: Pick<CollectionDescription, "fields">): boolean {
  const type = Object.hasOwn(fields, field) ? fields[field]?.type : undefined;
  if (path !== undefined || type === undefined || type === "text" || type === "strings" || type === "object") return false;
  return op === "exists" || typeof value === typeOfField[type];
}

function alternatives(parts: readonly Filter[], description: Pick<CollectionDescription, "fields">): Piece | undefined {
  const values: Scalar[] = [];
  const fields = new Set<string>();
  for (const part of parts) {
    const piece = flatPiece(part, description);
    if (piece?.condition.in === undefined) return undefined;
    fields.add(piece.field);
    values.push(...piece.condition.in);
  }
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0 || values.length > mostAlternatives) return undefined;
  return { field, condition: { in: values } };
}

/**
 * Merges two conditions on one field. Returns undefined if an operator would be needed twice. A comparison implies
 * existence.
 */
function merge(a: Flat, b: Flat): Flat | undefined {
  if (a.exists === true) return b;
  if (b.exists === true) return a;
  const disjoint = a.exists === undefined && b.exists === undefined && !Object.keys(a).some((operator) => Object.hasOwn(b, operator));
  return disjoint ? { ...a, ...b } : undefined;
}

function simplest({ exists, ...operators }: Flat): Condition<Scalar | null> {
  if (exists !== undefined) return { exists };
  const [value, ...others] = operators.in ?? [];
  if (value !== undefined && others.length === 0 && Object.keys(operators).length === 1) return value;
  // `fits` accepted only values of the field's type. `Condition` expresses that, `Flat` does not.
  return operators as Condition<Scalar>;
}
