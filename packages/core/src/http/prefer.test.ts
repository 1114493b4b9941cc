import { expect, test } from "vitest";
import { parsePrefer } from "./prefer.ts";

const asks = (header: string | null): boolean => parsePrefer(header).apply("include-linked");

test.each([
  "include-linked",
  "Include-Linked",
  "respond-async, include-linked",
  'foo="a, b", include-linked',
  'foo="a \\" b", include-linked',
  'foo=""; bar="x,y" , include-linked; why="because, of; that"',
  'include-linked="yes"',
  ",, include-linked ,",
])("%s applies include-linked", (header) => {
  expect(asks(header)).toBe(true);
});

test.each([
  null,
  "",
  'foo="include-linked"',
  'foo="a, include-linked"',
  'foo="a, include-linked, b"; x="include-linked"',
  'foo="a \\", include-linked, \\" b"',
  'foo="never closed, include-linked',
  'foo="ends in a backslash, include-linked\\',
  "not-include-linked",
  "foo=include-linked",
  "foo; include-linked",
])("%s does not apply include-linked", (header) => {
  expect(asks(header)).toBe(false);
});
