import { describe, expect, test } from "vitest";
import { sameJson } from "./same-json.ts";

describe("sameJson", () => {
  test.each([
    [
      { a: 1, b: [{ c: null }] },
      { b: [{ c: null }], a: 1 },
    ],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ])("finds %j equal to %j", (one, other) => {
    expect(sameJson(one, other)).toBe(true);
  });

  test.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [
      { a: 1, b: 2 },
      { a: 1, c: 2 },
    ],
    [{ a: "1" }, { a: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [{ a: null }, { a: {} }],
    [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2}}')],
    [{}, JSON.parse('{"__proto__":{}}')],
  ])("distinguishes %j from %j", (one, other) => {
    expect(sameJson(one, other)).toBe(false);
    expect(sameJson(other, one)).toBe(false);
  });
});
