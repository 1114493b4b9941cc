/** What no well-behaved client says. */
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

/** By what they are: values of a parameter in a query, percent-encoded. Some are not text, and some come twice. */
export function hostileQueries(name: string): readonly (readonly [string, string])[] {
  const encoded = encodeURIComponent(name);
  return [
    ...Object.entries(texts).map(([what, value]) => [what, `${encoded}=${encodeURIComponent(value)}`] as const),
    ["broken percent-encoding", `${encoded}=%zz%`],
    ["bytes that are no text", `${encoded}=%ff%fe%ed%a0%80`],
    ["no value", encoded],
    ["a parameter twice", `${encoded}=1&${encoded}=2`],
    ["a parameter a hundred times", Array.from({ length: 100 }, () => `${encoded}=true`).join("&")],
    ["a list by brackets", `${encoded}[]=1&${encoded}[]=2`],
    ["an object by brackets", `${encoded}[__proto__][x]=1`],
  ];
}

/** By what they are: values of a parameter in a path, percent-encoded. What an address takes for its own structure is left out. */
export const hostileSegments: readonly (readonly [string, string])[] = [
  ...Object.entries(texts)
    .filter(([what]) => what !== "nothing")
    .map(([what, value]) => [what, encodeURIComponent(value)] as const),
  ["broken percent-encoding", "%zz"],
  ["bytes that are no text", "%ff%fe"],
  ["an encoding of an encoding", "%2525"],
  ["a slash", "a%2Fb"],
];

/** By what they are: values that a header can have. */
export const hostileHeaders: readonly (readonly [string, string])[] = Object.entries(texts)
  .filter(([, value]) => /^[\x20-\x7e]+$/.test(value))
  .map(([what, value]) => [what, value]);

const deep = 5000;

/** By what they are: JSON for any place of a body. */
export const hostileJson: readonly (readonly [string, string])[] = [
  ...Object.entries(texts).map(([what, value]) => [what, JSON.stringify(value)] as const),
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
  ["lists five thousand deep", "[".repeat(deep) + "]".repeat(deep)],
  ["objects five thousand deep", '{"a":'.repeat(deep) + "1" + "}".repeat(deep)],
];

/** All that is text, for forms. */
export const hostileTexts: readonly string[] = Object.values(texts);
