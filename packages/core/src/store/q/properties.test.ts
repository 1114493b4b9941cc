import fc from "fast-check";
import { expect, test } from "vitest";
import { isNightly } from "../../../../../test/support/nightly.ts";
import { print, queriesOf } from "../../../test/queries.ts";
import { fields, table } from "../../../test/search-table.ts";
import type { AnyRow } from "../contract.ts";
import { matches, matchesFilter } from "../match.ts";
import type { Json, Value } from "../value.ts";
import type { Operand, Query, Term } from "./ast.ts";
import { compileParsedQuery } from "./compile.ts";
import { flatten } from "./flatten.ts";
import { parseQuery } from "./parser.ts";

const text = fc.constantFrom("", "a", "ab", "Ab", "b", "5", "true", "\u{1f600}", "\uffee");
const numbers = fc.integer({ min: -2, max: 12 });
const dates = [
  { text: "2024-02", start: 1706745600000, end: 1709251200000 },
  { text: "2024-02-29", start: 1709164800000, end: 1709251200000 },
  { text: "2024-02-29T00:00:00.000Z", start: 1709164800000, end: 1709164800001 },
  { text: "1970", start: 0, end: 31536000000 },
];
const moments = fc.constantFrom(0, 1, 1706745600000, 1709164800000, 1709164800001, 1709251199999, 1709251200000);
const member: fc.Arbitrary<Json> = fc.oneof(
  text,
  numbers,
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(text, numbers), { maxLength: 3 }),
);
const metadata = fc.dictionary(fc.constantFrom("x", "y"), fc.oneof(member, fc.dictionary(fc.constantFrom("x", "y"), member)));
const rows: fc.Arbitrary<AnyRow> = fc.record<Record<string, Value>>({
  email: text.map((value) => value.toLowerCase()),
  name: text,
  nickname: fc.option(text),
  logins_count: numbers,
  last_login: moments,
  created_at: moments,
  blocked: fc.boolean(),
  tags: fc.array(text, { maxLength: 3 }),
  app_metadata: metadata,
});

const operandsOf = (value: fc.Arbitrary<string>, stars: readonly ("prefix" | "contains")[]): fc.Arbitrary<Operand> => {
  const bound = fc.record({ text: value, quoted: fc.constant(true), inclusive: fc.boolean(), at: fc.constant(0) });
  return fc.oneof(
    fc.constant<Operand>({ kind: "exists", at: 0 }),
    value.map((whole): Operand => ({ kind: "text", text: whole, quoted: true, match: "whole", at: 0 })),
    bound.map((lower): Operand => ({ kind: "range", lower, at: 0 })),
    bound.map((upper): Operand => ({ kind: "range", upper, at: 0 })),
    fc.tuple(bound, bound).map(([lower, upper]): Operand => ({ kind: "range", lower, upper, at: 0 })),
    ...(stars.length === 0
      ? []
      : [
          fc
            .tuple(
              value.filter((part) => part !== ""),
              fc.constantFrom(...stars),
            )
            .map(([part, match]): Operand => ({ kind: "text", text: part, quoted: false, match, at: 0 })),
        ]),
  );
};
const termsOf = (name: string, operand: fc.Arbitrary<Operand>): fc.Arbitrary<Query> =>
  operand.map((value): Query => ({ kind: "term", field: { segments: name.split("."), at: 0 }, operand: value, at: 0 }));
const whole = numbers.map(String);
const date = fc.constantFrom(...dates.map((each) => each.text));
const unquoted = fc
  .oneof(whole, fc.constantFrom("true", "false", "a"))
  .map((value): Operand => ({ kind: "text", text: value, quoted: false, match: "whole", at: 0 }));
const terms = fc.oneof(
  termsOf("email", operandsOf(text, ["prefix"])),
  termsOf("name", operandsOf(text, ["prefix", "contains"])),
  termsOf("nickname", operandsOf(text, ["prefix"])),
  termsOf("tags", operandsOf(text, ["prefix"])),
  termsOf("logins_count", operandsOf(whole, [])),
  termsOf("last_login", operandsOf(date, [])),
  termsOf("created_at", operandsOf(date, [])),
  termsOf(
    "blocked",
    fc.constantFrom("true", "false").map((value): Operand => ({ kind: "text", text: value, quoted: true, match: "whole", at: 0 })),
  ),
  termsOf("app_metadata.x", fc.oneof(operandsOf(text, ["prefix", "contains"]), unquoted)),
  termsOf("app_metadata.x.y", fc.oneof(operandsOf(text, ["prefix", "contains"]), unquoted)),
);

/** Evaluates a query: a second, deliberately simple implementation. */
const holds = (query: Query, row: AnyRow): boolean => {
  if (query.kind === "term") return holdsTerm(query, row);
  if (query.kind === "not") return !holds(query.part, row);
  const each = (part: Query) => holds(part, row);
  return query.kind === "and" ? query.parts.every(each) : query.parts.some(each);
};
const holdsTerm = ({ field, operand }: Term, row: AnyRow): boolean => {
  const [name = "", ...path] = field?.segments ?? [];
  let at: unknown = row[name];
  for (const key of path)
    at = typeof at === "object" && at !== null && !Array.isArray(at) ? (at as Record<string, unknown>)[key] : undefined;
  const none = name === "email" ? "" : name === "last_login" ? 0 : undefined;
  const values = (Array.isArray(at) ? (at as unknown[]) : [at]).filter((value) => value !== undefined && value !== null && value !== none);
  if (operand.kind === "exists") return values.length > 0;
  const some = (ends: (value: string | number) => boolean) =>
    values.some((value) => (typeof value === "string" || typeof value === "number") && ends(value));
  const before = (a: string | number, b: string | number) =>
    typeof a === "number" || typeof b === "number" ? a < b && typeof a === typeof b : Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
  const period = (written: string) => dates.find((each) => each.text === written) ?? { start: Number.NaN, end: Number.NaN };
  const fold = (written: string) => (name === "email" ? written.toLowerCase() : written);
  const dated = name === "last_login" || name === "created_at";
  if (operand.kind === "range") {
    const { lower, upper } = operand;
    const point = (written: string) => (name === "logins_count" ? Number(written) : fold(written));
    const after =
      lower === undefined ||
      some((value) => {
        if (dated) return Number(value) >= period(lower.text)[lower.inclusive ? "start" : "end"];
        return (
          typeof value === typeof point(lower.text) &&
          (before(point(lower.text), value) || (lower.inclusive && value === point(lower.text)))
        );
      });
    return (
      after &&
      (upper === undefined ||
        some((value) => {
          if (dated) return Number(value) < period(upper.text)[upper.inclusive ? "end" : "start"];
          return (
            typeof value === typeof point(upper.text) &&
            (before(value, point(upper.text)) || (upper.inclusive && value === point(upper.text)))
          );
        }))
    );
  }
  const written = fold(operand.text);
  if (operand.match === "prefix") return some((value) => typeof value === "string" && value.startsWith(written));
  if (operand.match === "contains") return some((value) => typeof value === "string" && value.includes(written));
  if (dated) return some((value) => Number(value) >= period(written).start && Number(value) < period(written).end);
  if (name === "logins_count" || name === "blocked") return values.some((value) => String(value) === written);
  return values.some(
    (value) =>
      value === written || (!operand.quoted && (typeof value === "number" || typeof value === "boolean") && String(value) === written),
  );
};

const questions = queriesOf(terms);
const numRuns = isNightly ? 1500 : 300;

test("a compiled query matches the same rows as a reference implementation", () => {
  fc.assert(
    fc.property(questions, fc.array(rows, { minLength: 1, maxLength: 5 }), (query, many) => {
      const filter = compileParsedQuery(query, table);
      for (const row of many) expect(matchesFilter(row, filter)).toBe(holds(query, row));
    }),
    { numRuns },
  );
});

test("the printed text of a query compiles to the same filter as the query", () => {
  fc.assert(
    fc.property(questions, (query) => {
      const q = print(query);
      fc.pre(q.length <= 1000);
      const again = parseQuery(q);
      expect(again && compileParsedQuery(again, table)).toEqual(compileParsedQuery(query, table));
    }),
    { numRuns: 200 },
  );
});

test("a flat condition matches the same rows as the filter that it was made from", () => {
  const conjunctions = fc.array(terms, { minLength: 2, maxLength: 3 }).map((parts): Query => ({ kind: "and", parts, at: 0 }));
  let flat = 0;
  fc.assert(
    fc.property(fc.oneof(conjunctions, questions), fc.array(rows, { minLength: 1, maxLength: 5 }), (query, many) => {
      const filter = compileParsedQuery(query, table);
      const where = flatten(filter, { fields });
      if (where === undefined) return;
      flat++;
      for (const row of many) expect(matches(row, where)).toBe(matchesFilter(row, filter));
    }),
    { numRuns },
  );
  expect(flat).toBeGreaterThan(numRuns / 5);
});
