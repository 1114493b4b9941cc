import { compareText } from "@postern/core/adapter";
import { expect, test } from "vitest";
import { afterPrefix } from "./prefix-range.ts";

test.each([
  ["a", "b"],
  ["az", "a{"],
  ["a\u{10ffff}", "b"],
  ["\ud7ff", "\ue000"],
  ["\uffff", "\u{10000}"],
  ["😀", "😁"],
  ["", undefined],
  ["\u{10ffff}\u{10ffff}", undefined],
])("the prefix range of %j ends at %j", (prefix, after) => expect(afterPrefix(prefix)).toBe(after));

test("every text with the prefix sorts before the end of the prefix range", () => {
  for (const prefix of ["a", "\ud7ff", "😀", "a\u{10ffff}", "%", "\\"]) {
    const end = afterPrefix(prefix) ?? "";
    for (const rest of ["", "\u{10ffff}\u{10ffff}", "\ue000", "z"]) expect(compareText(prefix + rest, end)).toBeLessThan(0);
  }
});
