import fc from "fast-check";
import type { RangeBound, SearchFieldName, Operand, Query } from "../src/store/q/ast.ts";

/** Generates random parsed queries and prints them. All positions in the queries are 0. */

const writable = (text: string) => !/\p{Cc}/u.test(text);
const texts = fc.oneof(
  fc.constantFrom("a", "ab", "b", "Ab", "10", "9", "true", "AND", "*", 'a"b', "a b", "\\", "~1", "2024-05", "TO"),
  fc.string({ unit: "grapheme", maxLength: 6 }).filter(writable),
);
const somethings = texts.filter((text) => text !== "");

const bounds: fc.Arbitrary<RangeBound> = fc
  .record({ text: texts, quoted: fc.boolean(), inclusive: fc.boolean(), at: fc.constant(0) })
  .filter(({ text, quoted }) => quoted || text !== "");

const exists: fc.Arbitrary<Operand> = fc.constant({ kind: "exists", at: 0 });

export const operands: fc.Arbitrary<Operand> = fc.oneof(
  exists,
  texts.map((text): Operand => ({ kind: "text", text, quoted: true, match: "whole", at: 0 })),
  fc
    .tuple(somethings, fc.constantFrom("whole", "prefix", "suffix", "contains"))
    .map(([text, match]): Operand => ({ kind: "text", text, quoted: false, match, at: 0 })),
  bounds.map((lower): Operand => ({ kind: "range", lower, at: 0 })),
  bounds.map((upper): Operand => ({ kind: "range", upper, at: 0 })),
  fc.tuple(bounds, bounds).map(([lower, upper]): Operand => ({ kind: "range", lower, upper, at: 0 })),
);

const anyField: fc.Arbitrary<SearchFieldName> = fc.record({
  segments: fc.array(somethings, { minLength: 1, maxLength: 3 }),
  at: fc.constant(0),
});

/**
 * Generates random query trees.
 * @param operand generates the values in conditions.
 * @param field generates the fields in conditions. Default: any field.
 */
export function queries(operand: fc.Arbitrary<Operand>, field: fc.Arbitrary<SearchFieldName> = anyField): fc.Arbitrary<Query> {
  return queriesOf(fc.tuple(field, operand).map(([named, value]): Query => ({ kind: "term", field: named, operand: value, at: 0 })));
}

export function queriesOf(terms: fc.Arbitrary<Query>): fc.Arbitrary<Query> {
  return fc.letrec<{ query: Query }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      terms,
      fc.record({ kind: fc.constantFrom("and", "or"), parts: fc.array(tie("query"), { minLength: 2, maxLength: 4 }), at: fc.constant(0) }),
      fc.record({ kind: fc.constant("not"), part: tie("query"), at: fc.constant(0) }),
    ),
  })).query;
}

export function print(query: Query): string {
  switch (query.kind) {
    case "and":
    case "or":
      return query.parts.map(inner).join(query.kind === "and" ? " AND " : " OR ");
    case "not":
      return `NOT ${inner(query.part)}`;
    case "term":
      return `${query.field ? `${query.field.segments.map(bare).join(".")}:` : ""}${printOperand(query.operand)}`;
  }
}

const inner = (query: Query) => (query.kind === "term" ? print(query) : `(${print(query)})`);
const bare = (text: string) =>
  Array.from(text)
    .map((character) => (/[a-z0-9]/.test(character) ? character : `\\${character}`))
    .join("");
const phrase = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const bound = ({ text, quoted }: RangeBound) => (quoted ? phrase(text) : bare(text));

function printOperand(operand: Operand): string {
  if (operand.kind === "exists") return "*";
  if (operand.kind === "range") {
    const { lower, upper } = operand;
    return `${lower?.inclusive ? "[" : "{"}${lower ? bound(lower) : "*"} TO ${upper ? bound(upper) : "*"}${upper?.inclusive ? "]" : "}"}`;
  }
  if (operand.quoted) return phrase(operand.text);
  const star = (...at: string[]) => (at.includes(operand.match) ? "*" : "");
  return `${star("suffix", "contains")}${bare(operand.text)}${star("prefix", "contains")}`;
}

/** Removes every `at` from a value. */
export function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, inner]) => (key === "at" ? [] : [[key, withoutPositions(inner)]])));
}
