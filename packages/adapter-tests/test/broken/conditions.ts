import {
  schema,
  storedFields,
  type AnyRow,
  type CollectionDescription,
  type Condition,
  type DataAdapter,
  type Match,
  type Operators,
  type Scalar,
} from "@postern/core/adapter";
import { createMemoryAdapter } from "@postern/memory";
import { untyped } from "../../src/subject.ts";
import { altered, everyRow, type Alter, type Broken } from "./broken.ts";
import { withWhere } from "./reads.ts";
import { isOperators } from "./ways.ts";

type Method = "find" | "count" | "update" | "delete";

// Conditions that one method interprets differently from the others. An adapter's author implements conditions in four
// methods, and a test of `find` alone would pass.

type Operator = keyof Operators<Scalar>;

/** Returns an alteration that replaces operators. A field that has no operators left is removed from the condition. */
const rewritten = (change: (operators: object & Condition<Scalar | null>) => Condition<Scalar | null>): Alter =>
  withWhere((where) =>
    Object.fromEntries(
      Object.entries(where)
        .map(([field, condition]) => [field, isOperators(condition) ? change(condition) : condition] as const)
        .filter(([, condition]) => !isOperators(condition) || Object.keys(condition).length > 0),
    ),
  );

const without = (operator: Operator): Alter =>
  rewritten((operators) => Object.fromEntries(Object.entries(operators).filter(([name]) => name !== operator)));

const renamed = (from: Operator, to: Operator): Alter =>
  rewritten((operators) => Object.fromEntries(Object.entries(operators).map(([name, value]) => [name === from ? to : name, value])));

const firstOfList = rewritten((operators) => ("in" in operators ? (operators.in?.[0] ?? null) : operators));

/**
 * Matches a prefix with a range that ends at a character which the adapter's author believed to be the greatest one.
 */
const prefixUpTo = (last: string): Alter =>
  rewritten((operators) =>
    "prefix" in operators && Object.keys(operators).length === 1
      ? { gte: operators.prefix ?? "", lt: `${operators.prefix}${last}` }
      : operators,
  );

const only =
  (method: Method, alter: Alter): Alter =>
  (inner, description) => ({ [method]: alter(inner, description)[method] });

/**
 * Compares text under a collation that ignores case. A text then equals every stored value that differs only in case.
 */
const foldingCase: Alter = (inner, description) => {
  const folded = async (where: Match<AnyRow>): Promise<Match<AnyRow>> => {
    const { tenant_id } = where;
    const rows = tenant_id === undefined ? [] : await everyRow(inner, description, { tenant_id });
    const same = (field: string, text: string): string[] =>
      rows.map((row) => String(row[field])).filter((value) => value.toLowerCase() === text.toLowerCase());
    return Object.fromEntries(
      Object.entries(where).map(([field, condition]) =>
        typeof condition === "string" && field !== "tenant_id"
          ? [field, { in: [...new Set([condition, ...same(field, condition)])] }]
          : [field, condition],
      ),
    );
  };
  return {
    update: async (where, change) => inner.update(await folded(where), change),
    delete: async (where) => inner.delete(await folded(where)),
  };
};

/** Joins the operators on one field with OR. */
const anyOperator: Alter = (inner) => {
  const parts = (where: Match<AnyRow>): Match<AnyRow>[] => {
    for (const [field, condition] of Object.entries(where)) {
      const operators = typeof condition === "object" && condition !== null ? Object.entries(condition) : [];
      if (operators.length > 1) return operators.map(([name, value]) => ({ ...where, [field]: { [name]: value } }));
    }
    return [where];
  };
  const sum = async (where: Match<AnyRow>, write: (part: Match<AnyRow>) => Promise<number>): Promise<number> => {
    let count = 0;
    for (const part of parts(where)) count += await write(part);
    return count;
  };
  return {
    update: (where, change) => sum(where, (part) => inner.update(part, change)),
    delete: (where) => sum(where, (part) => inner.delete(part)),
  };
};

/** Truncates a text to the length of its field. */
export const cut = <V extends Scalar>(description: CollectionDescription, name: string, value: V): V | string => {
  const field = storedFields(description)[name];
  return typeof value === "string" && field?.type === "string" ? Array.from(value).slice(0, field.length).join("") : value;
};

/** Truncates the values in conditions to the length of the field. */
const cutting: Alter = (inner, description) =>
  withWhere((where) =>
    Object.fromEntries(
      Object.entries(where).map(([field, condition]) => {
        const short = <V extends Scalar>(value: V) => cut(description, field, value);
        if (condition === null || !isOperators(condition)) return [field, condition === null ? null : short(condition)];
        const operators = Object.entries(condition).map(([name, value]) => [name, Array.isArray(value) ? value.map(short) : short(value)]);
        return [field, Object.fromEntries(operators)];
      }),
    ),
  )(inner, description);

/** Truncates values in the same way, outside of the checks that `defineAdapter` adds. */
function cuttingOutside(): DataAdapter {
  const memory = createMemoryAdapter();
  const collections = Object.values(schema).map((description: CollectionDescription) => {
    const inner = untyped(memory.collections, description.name);
    return [description.name, { ...inner, ...cutting(inner, description) }];
  });
  return { ...memory, collections: Object.fromEntries(collections) };
}

const writes = ["update", "delete"] as const;
const comparisons = "where: lt, lte, gt and gte";
const several = "where: all conditions must match";
const texts = "where: prefix and contains";
const list = "where: in accepts 1 to 50 values";

const misread: readonly (readonly [defect: string, alter: Alter, fails: readonly string[]])[] = [
  ["lt dropped", without("lt"), [several, comparisons]],
  ["lte dropped", without("lte"), [several, comparisons]],
  ["gt dropped", without("gt"), [several, comparisons]],
  ["gte dropped", without("gte"), [comparisons]],
  ["in dropped", without("in"), [list]],
  ["prefix dropped", without("prefix"), [texts]],
  ["contains dropped", without("contains"), [texts]],
  ["lt treated as lte", renamed("lt", "lte"), [comparisons]],
  ["lte treated as lt", renamed("lte", "lt"), [comparisons]],
  ["gt treated as gte", renamed("gt", "gte"), [comparisons]],
  ["gte treated as gt", renamed("gte", "gt"), [comparisons]],
  ["only the first of in", firstOfList, [list]],
  ["prefix treated as contains", renamed("prefix", "contains"), [texts]],
  ["letter case ignored", foldingCase, ["text: is case-sensitive"]],
  ["the operators of a field joined by OR", anyOperator, [several, texts]],
];

export const brokenConditions: readonly Broken[] = [
  ...misread.flatMap(([defect, alter, fails]) =>
    writes.map((method): Broken => ({ defect: `${defect} in ${method}`, fails, adapter: () => altered(only(method, alter)) })),
  ),
  ...(
    [
      ["U+F8FF", "\uf8ff"],
      ["U+FFFF", "\uffff"],
      ["eight times U+FFFF", "\uffff".repeat(8)],
    ] as const
  ).map(([end, last]): Broken => ({
    defect: `a prefix as a range that ends at ${end}`,
    fails: ["where: a prefix matches every text that starts with it"],
    adapter: () => altered(prefixUpTo(last)),
  })),
  ...[() => altered(cutting), cuttingOutside].map((adapter, i): Broken => ({
    defect: `text truncated to its field's length, ${i === 0 ? "after" : "before"} the checks`,
    fails: ["text: a value that no field can store matches nothing"],
    adapter,
  })),
];
