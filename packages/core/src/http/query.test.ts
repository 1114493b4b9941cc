import { expect, test } from "vitest";
import { readQuery } from "./query.ts";

test("reads a parameter as text and a repeated parameter as a list, whatever its name is", () => {
  const read = readQuery(new URLSearchParams("a=1&b=&a=2&__proto__=x&c&a=1"));
  expect(Object.entries(read)).toEqual([
    ["a", ["1", "2", "1"]],
    ["b", ""],
    ["__proto__", "x"],
    ["c", ""],
  ]);
});

test("reads brackets as the mark of a list only if they are allowed", () => {
  const parameters = new URLSearchParams("a[]=1&b[0]=1&b[1]=2&c[x]=1&d[]=1&d=2");
  expect(readQuery(parameters, true)).toEqual({ a: ["1"], b: ["1", "2"], "c[x]": "1", d: ["1", "2"] });
  expect(readQuery(new URLSearchParams("a[]=1"))).toEqual({ "a[]": "1" });
});

test("rejects text that databases cannot store, in names and in values", () => {
  for (const query of ["a=%00", "%00=a"]) expect(() => readQuery(new URLSearchParams(query))).toThrow("NUL");
});
