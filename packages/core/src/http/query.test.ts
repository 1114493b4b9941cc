import { expect, test } from "vitest";
import { readQuery } from "./query.ts";

test("a parameter is a text, one that is given more than once a list, and every name is only a name", () => {
  const read = readQuery(new URLSearchParams("a=1&b=&a=2&__proto__=x&c&a=1"));
  expect(Object.entries(read)).toEqual([
    ["a", ["1", "2", "1"]],
    ["b", ""],
    ["__proto__", "x"],
    ["c", ""],
  ]);
});

test("text that no database may be given is refused, in names and in values", () => {
  for (const query of ["a=%00", "%00=a"]) expect(() => readQuery(new URLSearchParams(query))).toThrow("NUL");
});
