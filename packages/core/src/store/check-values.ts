import type { Condition } from "./contract.ts";
import type { Field } from "./description.ts";
import type { Scalar } from "./value.ts";

/** Returns why a value is invalid for a field, or undefined if it is valid. Null is valid for nullable fields only. */
export function valueFault(field: Field, value: unknown): string | undefined {
  if (value === undefined) return "is undefined";
  if (value === null) return field.nullable === true ? undefined : "is null";
  switch (field.type) {
    case "string":
      if (typeof value !== "string") return "is not text";
      return isLonger(value, field.length) ? `is longer than ${field.length}` : undefined;
    case "text":
      return typeof value === "string" ? undefined : "is not text";
    case "integer":
    case "instant":
      return Number.isSafeInteger(value) ? undefined : "is not a whole number";
    case "boolean":
      return typeof value === "boolean" ? undefined : "is not true or false";
    case "strings":
      return Array.isArray(value) && value.every((item) => typeof item === "string") ? undefined : "is not a list of strings";
    case "object":
      return typeof value === "object" && !Array.isArray(value) ? undefined : "is not an object";
  }
}

/** Whether a text has more characters than `length`. Schemas and databases count characters, not UTF-16 units. */
export function isLonger(text: string, length: number): boolean {
  // A character has one or two UTF-16 units.
  return text.length > length && (text.length > 2 * length || Array.from(text).length > length);
}

const comparisons = new Set(["lt", "lte", "gt", "gte"]);

/**
 * Returns why a condition on a field is invalid, or undefined if it is valid. Types are checked because databases
 * convert between text and numbers by different rules. On one of them, `{ name: 0 }` would match nearly every name.
 */
export function conditionFault(field: Field, condition: Condition<Scalar | null>): string | undefined {
  if (field.type === "text" || field.type === "strings" || field.type === "object")
    return `is of type ${field.type}, which conditions do not support`;
  // Null is valid even for a field that is never null. It then matches nothing.
  if (condition === null) return undefined;
  if (typeof condition !== "object") return comparisonFault(field, condition);
  const operators = Object.entries(condition);
  if (operators.length === 0) return "has a condition without an operator";
  for (const [operator, value] of operators) {
    const fault = operatorFault(field, operator, value, operators.length);
    if (fault !== undefined) return `.${operator} ${fault}`;
  }
  return undefined;
}

function operatorFault(field: Field, operator: string, value: unknown, siblings: number): string | undefined {
  if (operator === "exists") {
    if (typeof value !== "boolean") return "is not true or false";
    return siblings > 1 ? "cannot be combined with other operators" : undefined;
  }
  if (operator === "in") {
    if (!Array.isArray(value) || value.length < 1 || value.length > 50) return "requires 1 to 50 values";
    return value.map((item: unknown) => comparisonFault(field, item)).find((fault) => fault !== undefined);
  }
  if (operator === "prefix" || operator === "contains") return field.type === "string" ? comparisonFault(field, value) : "is only for text";
  return comparisons.has(operator) ? comparisonFault(field, value) : "is not an operator";
}

/**
 * Returns why a value cannot be compared with a field, or undefined if it can. Text may be longer than the field: then
 * it equals no stored value, and `pruneImpossibleConditions` handles it.
 */
function comparisonFault(field: Field, value: unknown): string | undefined {
  if (value === null) return "is null";
  return field.type === "string" ? (typeof value === "string" ? undefined : "is not text") : valueFault(field, value);
}
