import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RangeBound, Operand, Query } from "./ast.ts";
import { compileQuery } from "./compile.ts";
import { QueryError } from "./error.ts";
import { deepestQuery, mostClauses, parseQuery } from "./parser.ts";
import { operands, print, queries, withoutPositions } from "../../../test/queries.ts";
import { table } from "../../../test/search-table.ts";

const term = (field: string | undefined, operand: object) => ({
  kind: "term",
  ...(field !== undefined && { field: { segments: field.split(".") } }),
  operand,
});
const whole = (text: string, quoted = false) => ({ kind: "text", text, quoted, match: "whole" });
const parsed = (q: string) => withoutPositions(parseQuery(q));
const fault = (q: string): { position: number; message: string } => {
  try {
    parseQuery(q);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error(`parsed: ${q}`);
};

describe("values", () => {
  test.each([
    ["user_id:auth0|abc", "user_id", "auth0|abc"],
    ["email:jane+x@example.com", "email", "jane+x@example.com"],
    ["identifier:https://api.example.com/v1?a=b", "identifier", "https://api.example.com/v1?a=b"],
    ["phone_number:+15551234", "phone_number", "+15551234"],
    ["n:-5", "n", "-5"],
    ["name:jane_doe-x", "name", "jane_doe-x"],
    ["at:2024-05-31T12:00:00Z", "at", "2024-05-31T12:00:00Z"],
    ["name: jane", "name", "jane"],
    [String.raw`name:jane\ doe\*`, "name", "jane doe*"],
    ["app_metadata.plan.name:gold", "app_metadata.plan.name", "gold"],
  ])("%s is parsed as one bare value", (q, field, text) => expect(parsed(q)).toEqual(term(field, whole(text))));

  test("a phrase contains everything except its backslashes", () => {
    expect(parsed(String.raw`name:"a \"b\" \\ * ) AND"`)).toEqual(term("name", whole(String.raw`a "b" \ * ) AND`, true)));
  });

  test.each([
    ["name:jane*", "prefix", "jane"],
    ["name:*jane*", "contains", "jane"],
    ["name:*jane", "suffix", "jane"],
  ])("%s is read as a %s match", (q, match, text) => expect(parsed(q)).toEqual(term("name", { kind: "text", text, quoted: false, match })));

  test("existence has three spellings", () => {
    for (const q of ["_exists_:a.b", "a.b:*", "a.b:[* TO *]"]) expect(parsed(q)).toEqual(term("a.b", { kind: "exists" }));
  });

  test("an escaped dot belongs to the name of a member", () => {
    expect(parsed(String.raw`user_metadata.https\://x\.y:1`)).toEqual({
      kind: "term",
      field: { segments: ["user_metadata", "https://x.y"] },
      operand: whole("1"),
    });
  });

  test.each([
    ["n:[1 TO 5]", { lower: ["1", true], upper: ["5", true] }],
    ["n:{1 TO 5}", { lower: ["1", false], upper: ["5", false] }],
    ["n:[1 TO 5}", { lower: ["1", true], upper: ["5", false] }],
    ["n:{1 TO *]", { lower: ["1", false] }],
    ['n:[* TO "a b"]', { upper: ["a b", true] }],
    ["n:[ 2024-05-31T12:00:00Z   TO 2025 ]", { lower: ["2024-05-31T12:00:00Z", true], upper: ["2025", true] }],
    ["n:>10", { lower: ["10", false] }],
    ["n:>=10", { lower: ["10", true] }],
    ["n:<10", { upper: ["10", false] }],
    ["n:<=10", { upper: ["10", true] }],
  ])("%s is parsed as a range", (q, bounds) => {
    const operand = parseQuery(q);
    if (operand?.kind !== "term" || operand.operand.kind !== "range") throw new Error("not a range");
    const { lower, upper } = operand.operand;
    const short = (bound: RangeBound | undefined) => bound && [bound.text, bound.inclusive];
    expect({ lower: short(lower), upper: short(upper) }).toEqual({ lower: undefined, upper: undefined, ...bounds });
  });
});

describe("operators", () => {
  const [a, b, c] = ["a", "b", "c"].map((field) => term(field, whole("1")));

  test.each([
    ["a:1 AND b:1", { kind: "and", parts: [a, b] }],
    ["a:1 && b:1", { kind: "and", parts: [a, b] }],
    ["a:1 b:1", { kind: "and", parts: [a, b] }],
    ["a:1 OR b:1", { kind: "or", parts: [a, b] }],
    ["a:1 || b:1", { kind: "or", parts: [a, b] }],
    ["a:1 OR b:1 AND c:1", { kind: "or", parts: [a, { kind: "and", parts: [b, c] }] }],
    ["a:1 b:1 OR c:1", { kind: "or", parts: [{ kind: "and", parts: [a, b] }, c] }],
    ["(a:1 OR b:1) c:1", { kind: "and", parts: [{ kind: "or", parts: [a, b] }, c] }],
    ["NOT a:1", { kind: "not", part: a }],
    ["-a:1", { kind: "not", part: a }],
    ["!a:1", { kind: "not", part: a }],
    ["+a:1", a],
    ["NOT a:1 b:1", { kind: "and", parts: [{ kind: "not", part: a }, b] }],
  ])("%s", (q, query) => expect(parsed(q)).toEqual(query));

  test("a field before a parenthesis applies to every word inside, and colons inside are literal", () => {
    const e = (text: string) => term("e", whole(text));
    expect(parsed("e:(a:b OR (c d))")).toEqual({ kind: "or", parts: [e("a:b"), { kind: "and", parts: [e("c"), e("d")] }] });
    expect(parsed("n:(>=10 AND <20)")).toMatchObject({
      kind: "and",
      parts: [{ operand: { lower: { text: "10" } } }, { operand: { upper: { text: "20" } } }],
    });
  });

  test("a word or phrase without a field becomes a term without a field", () => {
    expect(parsed('jane "doe x" j*')).toMatchObject({
      kind: "and",
      parts: [term(undefined, whole("jane")), term(undefined, whole("doe x", true)), { operand: { match: "prefix" } }],
    });
  });

  test("returns undefined for a blank query", () => {
    expect([parseQuery(""), parseQuery(" \t\r\n")]).toEqual([undefined, undefined]);
  });
});

describe("reports the position of an error", () => {
  test.each([
    ["a:1 AND", 7],
    ["AND a:1", 0],
    ["a:1 OR OR b:1", 7],
    ["(a:1", 0],
    ["a:1)", 3],
    ["()", 1],
    ["a:", 2],
    ["a: OR b:1", 3],
    ['x:"abc', 2],
    ['a:b"c"', 3],
    ["a:b(c)", 3],
    ["a:b*c", 3],
    ["a:b**", 4],
    ["a:**", 3],
    ["a:jane~", 2],
    ["a:jane~2", 2],
    ["a:jane^3", 2],
    ["a:[1 2]", 5],
    ["a:[1 TO 2", 9],
    ["a:[1 TO 2 3]", 10],
    ["a:[TO 2]", 6],
    ["a:[1* TO 2]", 4],
    ["a:>", 3],
    ["a:>*", 3],
    ["[1 TO 2]", 0],
    ["a.:1", 0],
    ["x .a:1", 2],
    [":1", 0],
    ["a*:1", 1],
    ["_exists_:", 9],
    ["_exists_:(a)", 9],
    [`a:1${String.fromCharCode(0)}`, 3],
    ["a:\ud800b", 2],
    ["a:b\\", 4],
    [`a:${"x".repeat(1000)}`, 1000],
  ])("in %j at %i", (q, position) => expect(fault(q).position).toBe(position));

  test(`rejects more than ${deepestQuery} levels of nesting`, () => {
    const nested = (depth: number) => `${"(".repeat(depth)}a:1${")".repeat(depth)}`;
    expect(parsed(nested(deepestQuery))).toEqual(parsed("a:1"));
    expect(fault(nested(deepestQuery + 1))).toMatchObject({ position: deepestQuery + 1 });
    expect(fault("NOT ".repeat(100) + "a:1").message).toMatch(/30 levels/);
    expect(fault("-".repeat(900) + "a:1").message).toMatch(/30 levels/);
  });

  test(`rejects more than ${mostClauses} conditions`, () => {
    const many = (count: number) => Array.from({ length: count }, () => "a:1").join(" ");
    expect(parseQuery(many(mostClauses))).toMatchObject({ kind: "and" });
    expect(fault(many(mostClauses + 1)).position).toBe(mostClauses * 4);
  });
});

describe("properties", () => {
  const pieces = fc.constantFrom(
    ...Array.from('()[]{}"\\*:.-+!<>=~^&|? \tab1'),
    "AND",
    "OR",
    "NOT",
    " TO ",
    "_exists_:",
    "a:",
    "name:",
    "created_at:",
    "2024-0",
    "\u{1f600}",
    "\ud800",
    "\u0000",
  );
  // `fc.string` with arbitrary characters takes seconds to prepare a map of all of them.
  const anything = fc.array(fc.nat(0x10ffff), { maxLength: 200 }).map((codes) => String.fromCodePoint(...codes));
  const nearly = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(""));

  test("parses every string or reports an error inside it", () => {
    fc.assert(
      fc.property(fc.oneof(nearly, anything), (q) => {
        try {
          compileQuery(q, table);
        } catch (error) {
          expect(error).toBeInstanceOf(QueryError);
          const { position } = error as QueryError;
          expect(Number.isInteger(position) && position >= 0 && position <= q.length).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("reads the longest strings of one repeated piece in linear time", { timeout: 10_000 }, () => {
    for (const piece of [...Array.from('()[]{}"\\*:.-+!<>=~^1a '), "a:(", "a:~1", "~^", "[a TO ", 'a:"\\']) {
      try {
        parseQuery(piece.repeat(Math.floor(1000 / piece.length)));
      } catch (error) {
        expect(error).toBeInstanceOf(QueryError);
      }
    }
  });

  test("parses a printed query to the same query", () => {
    fc.assert(
      fc.property(queries(operands), (query: Query) => {
        const q = print(query);
        fc.pre(q.length <= 1000);
        expect(withoutPositions(parseQuery(q))).toEqual(withoutPositions(query));
      }),
      { numRuns: 500 },
    );
  });

  test("the printer writes each kind of operand", () => {
    const kinds = new Set(fc.sample(operands, 200).map((operand: Operand) => operand.kind));
    expect([...kinds].toSorted()).toEqual(["exists", "range", "text"]);
  });
});
