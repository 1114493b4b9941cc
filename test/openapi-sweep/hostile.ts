/** Values that no well-behaved client sends. */
const texts = {
  "a NUL": "a\0b",
  "a line break and a header": "x\r\nset-cookie: hostile=1",
  "ten thousand characters": "x".repeat(10_000),
  "a member of every object": "__proto__",
  "a method of every object": "constructor",
  nothing: "",
  null: "null",
  "a negative number": "-1",
  "a huge number": "9".repeat(40),
  "a number in another base": "0x10",
  "a number out of range": "1e999",
  "a list": "[]",
  "an object": '{"$ne":null}',
  "a path": "../../etc/passwd",
  SQL: "'; DROP TABLE users; --",
  "a wildcard": "%_*",
  "text from right to left": "\u202eabc",
  "characters beyond the first plane": "🦊".repeat(100),
  spaces: "   ",
  "another tenant": "other",
};

/**
 * Returns percent-encoded query strings for a parameter, with a description of each. Some are not valid text, and some
 * repeat the parameter.
 */
export function hostileQueries(name: string): readonly (readonly [string, string])[] {
  const encoded = encodeURIComponent(name);
  return [
    ...Object.entries(texts).map(([description, value]) => [description, `${encoded}=${encodeURIComponent(value)}`] as const),
    ["broken percent-encoding", `${encoded}=%zz%`],
    ["bytes that are no text", `${encoded}=%ff%fe%ed%a0%80`],
    ["no value", encoded],
    ["a parameter twice", `${encoded}=1&${encoded}=2`],
    ["a parameter a hundred times", Array.from({ length: 100 }, () => `${encoded}=true`).join("&")],
    ["a list by brackets", `${encoded}[]=1&${encoded}[]=2`],
    ["an object by brackets", `${encoded}[__proto__][x]=1`],
  ];
}

/**
 * Percent-encoded values of a path parameter, with a description of each. Excludes values that would change the
 * structure of the URL.
 */
export const hostileSegments: readonly (readonly [string, string])[] = [
  ...Object.entries(texts)
    .filter(([description]) => description !== "nothing")
    .map(([description, value]) => [description, encodeURIComponent(value)] as const),
  ["broken percent-encoding", "%zz"],
  ["bytes that are no text", "%ff%fe"],
  ["an encoding of an encoding", "%2525"],
  ["a slash", "a%2Fb"],
];

/** Values of a header, with a description of each. */
export const hostileHeaders: readonly (readonly [string, string])[] = Object.entries(texts)
  .filter(([, value]) => /^[\x20-\x7e]+$/.test(value))
  .map(([description, value]) => [description, value]);

const depth = 5000;

/** JSON values for any place in a body, with a description of each. */
export const hostileJson: readonly (readonly [string, string])[] = [
  ...Object.entries(texts).map(([description, value]) => [description, JSON.stringify(value)] as const),
  ["half a character", '"\\ud800"'],
  ["JSON null", "null"],
  ["true", "true"],
  ["zero", "0"],
  ["a number below zero", "-1"],
  ["half a number", "0.5"],
  ["more than a double holds exactly", "9007199254740993"],
  ["the largest double", "1.7976931348623157e308"],
  ["a number that is no double", "1e999"],
  ["an empty list", "[]"],
  ["a list of nothing", "[null]"],
  ["a list of lists", "[[[]]]"],
  ["the same twice", '["x","x"]'],
  ["two thousand items", `[${Array.from({ length: 2000 }, () => "1").join(",")}]`],
  ["an empty object", "{}"],
  ["the prototype of objects", '{"__proto__":{"admin":true},"constructor":{"prototype":{}}}'],
  ["a member without a name", '{"":""}'],
  ["a member twice", '{"a":1,"a":2}'],
  ["lists five thousand deep", "[".repeat(depth) + "]".repeat(depth)],
  ["objects five thousand deep", '{"a":'.repeat(depth) + "1" + "}".repeat(depth)],
];

/** The text values, for forms. */
export const hostileTexts: readonly string[] = Object.values(texts);
